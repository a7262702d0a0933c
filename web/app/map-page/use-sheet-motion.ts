import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { textScale } from '#web/ui/device.ts'

export const rests = ['peek', 'half', 'full'] as const
export type Rest = (typeof rests)[number]

export const peekPixels = 100

/** Shorter movements are clicks. */
const leastDragPixels = 4
/** Pixels per millisecond that move the sheet to the next rest. */
const flickSpeed = 0.4
const speedSpanMs = 100
const motionMs = 180

type Drag = {
  pointerId: number
  start: { x: number; y: number }
  scroller: Element | null
  isMoving: boolean
  /** Pixels between the pointer and the upper edge of the sheet. */
  grip: number
  moves: { y: number; atMs: number }[]
}

type SheetMotion = {
  sheetRef: RefObject<HTMLElement | null>
  rest: Rest
  onRest(rest: Rest): void
}

/** Changes only the transform until the sheet has arrived; `settled` is the last rest that it reached. */
export function useSheetMotion({ sheetRef, rest, onRest }: SheetMotion) {
  const drag = useRef<Drag | null>(null)
  const wasDragged = useRef(false)
  const shownOffset = useRef<number | null>(null)
  const glide = useRef<Animation | null>(null)
  const [releases, setReleases] = useState(0)
  const [settled, setSettled] = useState(rest)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a released sheet animates even to the same rest
  useLayoutEffect(() => {
    const sheet = sheetRef.current
    if (!sheet || drag.current?.isMoving) return
    const from = shownOffset.current
    const to = offsetsOf(sheet)[rest]
    shownOffset.current = to
    sheet.style.transform = ''
    const settle = () => {
      delete sheet.dataset.moving
      setSettled(rest)
    }
    if (from === null || Math.abs(from - to) < 1 || prefersReducedMotion()) return settle()
    sheet.dataset.moving = ''
    const transform = [from, to].map((offset) => `translateY(${offset}px)`)
    glide.current = sheet.animate({ transform }, { duration: motionMs, easing: 'ease-out' })
    glide.current.onfinish = settle
  }, [rest, releases])

  // Only a listener that is not passive can prevent scrolling of the page.
  useEffect(() => {
    const sheet = sheetRef.current
    const preventScroll = (event: TouchEvent) => {
      if (drag.current?.isMoving && event.cancelable) event.preventDefault()
    }
    sheet?.addEventListener('touchmove', preventScroll, { passive: false })
    return () => sheet?.removeEventListener('touchmove', preventScroll)
  }, [sheetRef])

  function begin(sheet: HTMLElement, active: Drag) {
    glide.current?.cancel()
    active.isMoving = true
    wasDragged.current = true
    sheet.setPointerCapture(active.pointerId)
    sheet.dataset.moving = ''
  }
  function moveTo(sheet: HTMLElement, offset: number) {
    const { full, peek } = offsetsOf(sheet)
    shownOffset.current = Math.max(full, Math.min(peek, offset))
    sheet.style.transform = `translateY(${shownOffset.current}px)`
  }
  function end(speed: number) {
    const sheet = sheetRef.current
    const isMoving = drag.current?.isMoving
    drag.current = null
    if (!sheet || !isMoving) return
    onRest(restAfter(offsetsOf(sheet), shownOffset.current ?? 0, speed))
    setReleases((count) => count + 1)
  }

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      wasDragged.current = false
      const target = event.target as Element
      const sheet = sheetRef.current
      if (!sheet || !event.isPrimary || event.button !== 0) return
      if (!sheet.contains(target) || target.closest('input, select, textarea')) return
      const isHead = target === sheet || target.closest('header, [data-handle]') !== null
      if (event.pointerType === 'mouse' && !isHead) return
      drag.current = {
        pointerId: event.pointerId,
        start: { x: event.clientX, y: event.clientY },
        scroller: isHead || rest === 'peek' ? null : scrollerAround(target, sheet),
        isMoving: false,
        grip: event.clientY - sheet.getBoundingClientRect().top,
        moves: [],
      }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const active = drag.current
      const sheet = sheetRef.current
      if (!active || !sheet || event.pointerId !== active.pointerId) return
      if (!active.isMoving) {
        const [right, down] = [event.clientX - active.start.x, event.clientY - active.start.y]
        if (Math.hypot(right, down) < leastDragPixels) return
        const scrolls = active.scroller !== null && (down < 0 || active.scroller.scrollTop > 0)
        if (scrolls || Math.abs(right) > Math.abs(down)) {
          drag.current = null
          return
        }
        begin(sheet, active)
      }
      active.moves.push({ y: event.clientY, atMs: event.timeStamp })
      moveTo(sheet, event.clientY - active.grip - highestOf(sheet))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(speedOf(drag.current, event.timeStamp)),
    onPointerCancel: () => end(0),
    onClickCapture(event: MouseEvent) {
      if (!wasDragged.current) return
      wasDragged.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
  return { settled, handlers }
}

const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

function highestOf(sheet: HTMLElement): number {
  return (sheet.parentElement?.getBoundingClientRect().bottom ?? 0) - sheet.offsetHeight
}

/** Pixels below the highest rest; repeated in `phone-sheet.module.css`. */
function offsetsOf(sheet: HTMLElement): Record<Rest, number> {
  const height = sheet.offsetHeight
  return { full: 0, half: height - window.innerHeight / 2, peek: height - peekPixels * textScale() }
}

function scrollerAround(target: Element, sheet: HTMLElement): Element | null {
  for (let part: Element | null = target; part && part !== sheet; part = part.parentElement)
    if (part.scrollHeight > part.clientHeight && /auto|scroll/.test(getComputedStyle(part).overflowY))
      return part
  return null
}

/** Pixels per millisecond, positive downwards. */
function speedOf(drag: Drag | null, nowMs: number): number {
  const recent = drag?.moves.filter(({ atMs }) => nowMs - atMs <= speedSpanMs) ?? []
  const [first, last] = [recent[0], recent.at(-1)]
  return first && last && last.atMs > first.atMs ? (last.y - first.y) / (last.atMs - first.atMs) : 0
}

/** The next rest in the direction of a flick, otherwise the nearest. `speed` in pixels per millisecond, downwards. */
export function restAfter(offsets: Record<Rest, number>, offset: number, speed: number): Rest {
  const byDistance = rests.toSorted((a, b) => Math.abs(offsets[a] - offset) - Math.abs(offsets[b] - offset))
  const isAhead = (rest: Rest) => (speed > 0 ? offsets[rest] > offset : offsets[rest] < offset)
  const ahead = Math.abs(speed) < flickSpeed ? undefined : byDistance.find(isAhead)
  return ahead ?? byDistance[0] ?? 'half'
}
