import { type ComponentType, useEffect, useState } from 'react'
import { loadChunk } from './load-chunk.ts'
import type { TipBubbleProps, TipSide } from './tip-bubble.tsx'

export const tip = (label: string, side: TipSide = 'top') => ({ 'data-tip': label, 'data-tip-side': side })

export function Tips() {
  const target = usePointedControl()
  const Bubble = useBubble(target !== null)
  const { tip: label, tipSide } = target?.dataset ?? {}
  if (!Bubble || !target || !label) return null
  return <Bubble key={label} target={target} label={label} side={tipSide as TipSide} />
}

function useBubble(isNeeded: boolean) {
  const [Bubble, setBubble] = useState<ComponentType<TipBubbleProps> | null>(null)
  const isMissing = isNeeded && !Bubble
  useEffect(() => {
    if (!isMissing) return
    const keep = ({ TipBubble }: typeof import('./tip-bubble.tsx')) => setBubble(() => TipBubble)
    loadChunk(() => import('./tip-bubble.tsx')).then(keep, () => {})
  }, [isMissing])
  return Bubble
}

function usePointedControl(): HTMLElement | null {
  const [control, setControl] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const controlOf = ({ target }: Event) =>
      target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
    const leave = () => setControl(null)
    const listening = new AbortController()
    const { signal } = listening
    const point = (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && event.buttons === 0) setControl(controlOf(event))
    }
    const focus = (event: FocusEvent) => {
      const focused = controlOf(event)
      setControl(focused?.matches(':focus-visible') ? focused : null)
    }
    document.addEventListener('pointerover', point, { signal })
    document.documentElement.addEventListener('pointerleave', leave, { signal })
    document.addEventListener('focusin', focus, { signal })
    document.addEventListener('focusout', leave, { signal })
    document.addEventListener('pointerdown', leave, { signal, capture: true })
    document.addEventListener('keydown', leave, { signal, capture: true })
    return () => listening.abort()
  }, [])
  return control
}
