// Browsers move the focus to the page when the focused element is removed or disabled, and keyboard users would have to
// start over.

const maxRecent = 30
/** What opens next, such as a dialog, may take the focus itself. */
const waitMs = 50

const places =
  'section, form, fieldset, main, nav, aside, dialog, [role=dialog], [role=region], [role=tabpanel], [role=grid], [role=complementary]'

/** Opened from elsewhere in the page. */
const panels = 'section, aside, [role=region], [role=complementary]'

const textBoxes = 'input:not([type=checkbox], [type=radio], [type=file]), textarea, [contenteditable]'

type Focused = { element: HTMLElement; places: HTMLElement[] }

let isFocusElsewhere = () => false

/** Whether the focused element is gone, as a followed link may be. What opens then takes the focus. */
export const isFocusLost = () => isFocusElsewhere()

/**
 * Moves the focus of a removed or disabled element to the place that contained it, or to what had the focus before it.
 * Returns a function that stops it.
 */
export function keepFocus(): () => void {
  let recent: Focused[] = []
  let isByPointer = false
  /** The last element was disabled for a moment, while its change was saved. */
  let wasDisabled = false
  /** Has the focus instead of a disabled element, until that one is enabled again. */
  let substitute: { of: HTMLElement; element: Element } | undefined
  /** Has the focus instead of a removed element, until the next key or click. */
  let moved: Element | undefined
  let due: ReturnType<typeof setTimeout> | undefined

  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || target === document.body) return
    wasDisabled = false
    substitute = undefined
    // Removed elements would keep their whole page in memory.
    recent = recent.filter(({ element }) => element !== target && element.isConnected)
    recent.push({ element: target, places: placesAround(target) })
    recent = recent.slice(-maxRecent)
  }

  function onBlur({ target }: FocusEvent) {
    wasDisabled = target instanceof HTMLElement && target.matches(':disabled')
  }

  function isLost(): boolean {
    const last = recent.at(-1)?.element
    if (!last || (canFocus(last) && !wasDisabled)) return false
    const { activeElement } = document
    return activeElement === document.body || activeElement === last
  }

  function check() {
    if (substitute && canFocus(substitute.of) && document.activeElement === substitute.element)
      takesFocus(substitute.of)
    // Later: whether an element is shown depends on the layout, which the next change would make anew.
    due ??= setTimeout(() => {
      due = isLost() ? setTimeout(restore, waitMs) : undefined
    }, waitMs)
  }

  function restore() {
    due = undefined
    if (!isLost()) return
    const lost = recent.at(-1)?.element
    moveFocus()
    const element = document.activeElement
    moved = element ?? undefined
    if (lost?.matches(':disabled') && element) substitute = { of: lost, element }
  }

  function moveFocus() {
    const main = document.querySelector('main')
    // The next page is still loading.
    if (!main && recent.at(-1)?.places.some((place) => place.matches('main'))) return
    for (const { element, places } of recent.toReversed()) {
      const isKeyboardShown = isByPointer && element.matches(textBoxes)
      if (canFocus(element) && !isKeyboardShown && takesFocus(element)) return
      let isPanelClosed = false
      for (const place of places) {
        const current = currentOf(place)
        if (isPanelClosed && current === place && place === main) break
        isPanelClosed ||= !current && place.matches(panels)
        if (current && takesFocus(current)) return
      }
    }
    if (main) takesFocus(main)
  }

  const onPointer = () => {
    isByPointer = true
    moved = undefined
  }
  const onKey = () => {
    isByPointer = false
    moved = undefined
  }
  isFocusElsewhere = () => isLost() || (moved !== undefined && document.activeElement === moved)
  document.addEventListener('focusin', onFocus, true)
  document.addEventListener('focusout', onBlur, true)
  document.addEventListener('pointerdown', onPointer, true)
  document.addEventListener('keydown', onKey, true)
  const observer = new MutationObserver(check)
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  return () => {
    clearTimeout(due)
    isFocusElsewhere = () => false
    observer.disconnect()
    document.removeEventListener('focusin', onFocus, true)
    document.removeEventListener('focusout', onBlur, true)
    document.removeEventListener('pointerdown', onPointer, true)
    document.removeEventListener('keydown', onKey, true)
  }
}

/** A place that was rendered anew, such as the main part of the next page, takes over from the removed one. */
function currentOf(place: HTMLElement): HTMLElement | undefined {
  if (isShown(place)) return place
  const label = place.getAttribute('aria-label')
  if (label === null && !place.matches('main')) return undefined
  return [...document.querySelectorAll<HTMLElement>(place.localName)].find(
    (one) => one.getAttribute('aria-label') === label && isShown(one),
  )
}

function takesFocus(element: HTMLElement): boolean {
  if (element.matches(places) && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** Segmented controls show the label of a radio button without height. */
const isShown = (element: HTMLElement) =>
  element.isConnected &&
  element.checkVisibility() &&
  (element.offsetHeight > 0 || element.matches('[type=radio], [type=checkbox]'))

const canFocus = (element: HTMLElement) => isShown(element) && !element.matches(':disabled')

/** Nearest first; it may be a place itself. */
function placesAround(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at: HTMLElement | null = element; at; at = at.parentElement) if (at.matches(places)) found.push(at)
  return found
}
