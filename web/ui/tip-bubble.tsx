import { Tooltip } from '@mantine/core'

export type TipSide = 'top' | 'right' | 'left'

export type TipBubbleProps = { target: HTMLElement; label: string; side: TipSide }

/** Hidden from screen readers: its control has the same words as its name, and axe wants all else in a region. */
export function TipBubble({ target, label, side }: TipBubbleProps) {
  return <Tooltip opened target={target} label={label} position={side} aria-hidden />
}
