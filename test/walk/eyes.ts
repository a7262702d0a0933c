import type { ControlName } from './step.ts'

export type Control = ControlName & {
  use: 'press' | 'fill' | 'choose' | 'slide'
  /** Its location on the screen, with the name if it stands alone and without in long lists. */
  place: string
  /** Pressing it leaves the page. */
  leaves: boolean
  options: string[]
  value: string
  type: string
  min: string
  max: string
}

export type Sight = {
  controls: Control[]
  pending: string[]
  unsaved: string
  /** The page promises to restore unsaved work after the next sign-in. */
  keepsUnsaved: boolean
  notices: string
  isModal: boolean
  hasScreen: boolean
  text: string
  mapBox: { x: number; y: number; width: number; height: number } | null
  /** Counts responses: changes, requests, movement and text. */
  answers: number
}

type Eyes = { look(): Sight; find(name: ControlName): Element | null }

declare global {
  interface Window {
    walkEyes: Eyes
  }
}

/** Runs in the page before its scripts, so it cannot import. Reports what a user can see. */
export function openEyes(): void {
  let answers = 0
  const isOfTooltip = (node: Node | null): boolean =>
    node instanceof Element
      ? node.closest('[role=tooltip], [data-portal]:has(> [role=tooltip])') !== null ||
        node.querySelector?.(':scope > [role=tooltip]') !== null
      : node?.parentElement
        ? isOfTooltip(node.parentElement)
        : false
  const isAnswer = ({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord) => {
    if (isOfTooltip(target)) return false
    if (type !== 'attributes')
      return ![...addedNodes, ...removedNodes].every(isOfTooltip) || type === 'characterData'
    return !['class', 'style', 'aria-describedby', 'data-map-state'].includes(attributeName ?? '')
  }
  new MutationObserver((records) => {
    if (records.some(isAnswer)) answers += 1
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  const count = () => {
    answers += 1
  }
  for (const event of ['input', 'scroll', 'copy', 'close']) document.addEventListener(event, count, true)
  let pressed: Node | null = null
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      pressed = target as Node
    },
    true,
  )
  document.addEventListener('focusin', ({ target }) => {
    const { type, labels } = target as HTMLInputElement
    const isField = target instanceof HTMLInputElement && type !== 'radio' && type !== 'checkbox'
    const isPressed = [target as Element, ...(labels ?? [])].some((one) => one.contains(pressed))
    if (isField || !isPressed) count()
  })
  window.addEventListener('hashchange', count)
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method].bind(history)
    history[method] = (...state) => {
      count()
      original(...state)
    }
  }
  const info = console.info.bind(console)
  console.info = (...words) => {
    count()
    info(...words)
  }
  const write = navigator.clipboard?.writeText.bind(navigator.clipboard)
  if (write)
    navigator.clipboard.writeText = (text) => {
      count()
      return write(text)
    }

  const kinds =
    'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=slider]'
  const words = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 80)
  const isShown = (element: Element) => {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false
    const { width, height, right } = element.getBoundingClientRect()
    // Fields for programs that send spam are left of the page.
    return width > 1 && height > 1 && right + scrollX > 0
  }
  const labelOf = (element: Element) => (element as HTMLInputElement).labels?.[0] ?? null
  /** The element that receives the pointer: the control, or its label if the control is hidden. */
  const handleOf = (element: Element): Element | null => {
    if (isShown(element)) return element
    const label = labelOf(element)
    if (label && isShown(label)) return label
    const around = element.parentElement
    return element.matches('input[type=checkbox], input[type=radio]') && around && isShown(around)
      ? around
      : null
  }
  const roleOf = (element: Element) => {
    const role = element.getAttribute('role')
    if (role) return role
    if (element instanceof HTMLAnchorElement) return 'link'
    if (element instanceof HTMLInputElement)
      return (
        { checkbox: 'checkbox', radio: 'radio', number: 'spinbutton', range: 'slider' }[element.type] ??
        'textbox'
      )
    return { SELECT: 'combobox', TEXTAREA: 'textbox' }[element.tagName] ?? 'button'
  }
  const nameOf = (element: Element) => {
    const labelled = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    return (
      words(element.getAttribute('aria-label')) ||
      words(labelled.map((id) => document.getElementById(id)?.textContent).join(' ')) ||
      words(labelOf(element)?.textContent) ||
      words(element.getAttribute('placeholder')) ||
      (element instanceof HTMLSelectElement ? '' : words(element.textContent)) ||
      words(element.getAttribute('title'))
    )
  }
  const useOf = (element: Element, role: string): Control['use'] => {
    if (role === 'slider') return 'slide'
    if (element instanceof HTMLSelectElement) return 'choose'
    return role === 'textbox' || role === 'spinbutton' || role === 'searchbox' ? 'fill' : 'press'
  }
  const choicesOf = (element: Element) =>
    element instanceof HTMLSelectElement
      ? [...element.options].filter(({ selected, disabled }) => !selected && !disabled)
      : []
  /** Choosing the current value does nothing. */
  const isChosen = (element: Element) =>
    element.getAttribute('aria-selected') === 'true' ||
    /^(page|true)$/.test(element.getAttribute('aria-current') ?? '') ||
    (element instanceof HTMLSelectElement && choicesOf(element).length === 0) ||
    (element instanceof HTMLInputElement && element.type === 'radio' && element.checked)

  const modal = () =>
    [...document.querySelectorAll('[role=dialog][aria-modal=true]')].filter(isShown).at(-1) ?? null

  function found(): { element: Element; name: ControlName }[] {
    const seen = new Map<string, number>()
    const all = [...(modal() ?? document).querySelectorAll(kinds)]
    return all.flatMap((element) => {
      if (element.closest('[inert]') || !handleOf(element)) return []
      const control = element as HTMLButtonElement
      if (control.matches(':disabled') || control.getAttribute('aria-disabled') === 'true') return []
      if (element instanceof HTMLInputElement && ['file', 'hidden'].includes(element.type)) return []
      if (element instanceof HTMLAnchorElement && element.origin !== location.origin) return []
      const role = roleOf(element)
      const name = nameOf(element)
      const nth = seen.get(`${role} ${name}`) ?? 0
      seen.set(`${role} ${name}`, nth + 1)
      return [{ element, name: { role, name, nth } }]
    })
  }

  const placeOf = (element: Element, { role, name }: ControlName) => {
    const plain = name.replace(/[\d,.]+/g, '#')
    const list = element.closest('[role=option], [role=row], [role=listitem], [role=menu], li, article')
    const around = element.closest(
      '[role=dialog], [role=listbox], [role=grid], [role=toolbar], form, nav, aside, main',
    )
    const where = words(around?.getAttribute('aria-label')).replace(/[\d,.]+/g, '#')
    const isOfMany = list !== null && !element.closest('[role=menu]')
    const first = role === 'option' ? '' : plain.split(' ')[0]
    return `${where} ${role} ${isOfMany ? first : plain}`.trim()
  }

  window.walkEyes = {
    // Skips controls that a concurrent change has selected.
    find: (name) =>
      found()
        .filter(
          ({ element, name: other }) =>
            other.role === name.role &&
            other.name === name.name &&
            other.nth === name.nth &&
            !isChosen(element),
        )
        .map(({ element }) => handleOf(element))[0] ?? null,
    look() {
      const map = document.querySelector('section[data-map-state]')
      const shownText = (selector: string) =>
        [...document.querySelectorAll(selector)].filter((element) => isShown(element))
      const pending = [
        ...shownText('[class*=Skeleton]').map(() => 'a skeleton'),
        ...shownText('[class*=Loader-root]').map((element) => `a loader: ${nameOf(element)}`),
        ...shownText('[aria-busy=true]').map((element) => `busy: ${nameOf(element) || element.tagName}`),
        ...shownText('button[data-loading]').map((element) => `button: ${nameOf(element)}`),
        ...(map && map.getAttribute('data-map-state') !== 'complete' ? ['the map'] : []),
      ]
      const unsaved = shownText('form [role=status] b, header p')
        .map((element) => words(element.textContent))
        .filter((text) => /^Unsaved|^Someone else changed|not (applied|saved) yet$/.test(text))
      const box = map?.getBoundingClientRect()
      return {
        controls: found()
          .filter(({ element }) => !isChosen(element))
          .map(({ element, name }) => {
            const input = element as HTMLInputElement
            return {
              ...name,
              use: useOf(element, name.role),
              place: placeOf(element, name),
              leaves: element instanceof HTMLAnchorElement && element.pathname.startsWith('/sign-in'),
              options: choicesOf(element).map(({ label }) => label),
              value: input.value ?? '',
              type: input.type ?? '',
              min: input.getAttribute('min') ?? '',
              max: input.getAttribute('max') ?? '',
            }
          }),
        pending: [...new Set(pending)],
        unsaved: unsaved.join(' '),
        keepsUnsaved: /(still|stored|stays) in this tab/.test(document.body?.innerText ?? ''),
        notices: shownText('[role=status], [role=alert]')
          .map((element) => words(element.textContent))
          .join(' '),
        isModal: modal() !== null,
        hasScreen:
          document.querySelector('main, [role=main]') !== null && words(document.body.innerText) !== '',
        text: words(document.body?.innerText).slice(0, 80),
        mapBox: box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null,
        answers,
      }
    },
  }
}
