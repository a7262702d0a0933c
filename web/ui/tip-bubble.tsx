import { Tooltip } from '@mantine/core'

export type TipSide = 'top' | 'right' | 'left'

export type TipBubbleProps = { target: HTMLElement; label: string; side: TipSide }

export function TipBubble({ target, label, side }: TipBubbleProps) {
  return <Tooltip opened target={target} label={label} position={side} />
}
