import { useEffect } from 'react'
import { isWithin } from './map-page/use-shortcuts.ts'
import classes from './page-parts.module.css'

/** In the order of F6, with their focusable elements. */
const parts = {
  list: '[role=grid], [role=listbox]',
  details: '[aria-label=Details]',
  map: 'canvas.maplibregl-canvas',
  notice: '[data-notices] button',
}

const firstControl = 'main :is(a, button:enabled, input:enabled)'

const visible = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].find(
    (part) => part.checkVisibility?.({ visibilityProperty: true }) ?? true,
  )

/** Visible only while one of them has the focus. F6 goes from part to part, first to a notification, Shift+F6 back. */
export function SkipLinks({ hasMap }: { hasMap: boolean }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || isWithin(event, '[aria-modal=true]')) return
      const shown = Object.values(parts).flatMap((selector) => visible(selector) ?? [])
      const current = shown.findIndex((part) => part.contains(document.activeElement))
      const step = event.shiftKey ? -1 : 1
      const first = visible(parts.notice) ? shown.length - 1 : 0
      const next = current < 0 ? first : (current + step + shown.length) % shown.length
      shown[next]?.focus()
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <nav className={classes.links} aria-label="Skip to">
      <button type="button" onClick={() => (visible(parts.list) ?? visible(firstControl))?.focus()}>
        Skip to content
      </button>
      {hasMap && (
        <button type="button" onClick={() => visible(parts.map)?.focus()}>
          Skip to map
        </button>
      )}
    </nav>
  )
}
