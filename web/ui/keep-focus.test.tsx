import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isFocusLost, keepFocus } from './keep-focus.ts'

let stop = () => {}
beforeEach(() => {
  document.body.innerHTML = `
    <input aria-label="Search" /><button>Menu</button>
    <section aria-label="List"><p><button>Load more</button></p><button>Next</button></section>`
  stop = keepFocus()
})
afterEach(() => {
  stop()
  document.body.innerHTML = ''
})

const named = (name: string) => screen.getByRole('button', { name })
function openBox(role: string): HTMLElement {
  const box = document.body.appendChild(document.createElement('div'))
  box.setAttribute('role', role)
  box.append(document.createElement('button'))
  box.querySelector('button')?.focus()
  return box
}
const hasFocus = (element: Element) => waitFor(() => expect(document.activeElement).toBe(element))

describe('the focus', () => {
  it('of a removed button moves to the section around it, which leaves no trace', async () => {
    const section = screen.getByRole('region', { name: 'List' })
    named('Load more').focus()
    named('Load more').closest('p')?.remove()
    await hasFocus(section)
    named('Next').focus()
    expect(section.hasAttribute('tabindex')).toBe(false)
  })

  it('of a disabled button moves as well', async () => {
    named('Next').focus()
    named('Next').setAttribute('disabled', '')
    await hasFocus(screen.getByRole('region', { name: 'List' }))
  })

  it('returns to a button that was disabled for a moment, unless it moved on', async () => {
    const button = named('Next')
    const disable = async () => {
      button.focus()
      button.setAttribute('disabled', '')
      await hasFocus(screen.getByRole('region', { name: 'List' }))
    }
    await disable()
    button.removeAttribute('disabled')
    await hasFocus(button)
    await disable()
    named('Menu').focus()
    button.removeAttribute('disabled')
    await new Promise((resolve) => setTimeout(resolve))
    expect(document.activeElement).toBe(named('Menu'))
  })

  it('stays on a radio button without height, as in a segmented control', async () => {
    const radio = document.createElement('input')
    radio.type = 'radio'
    Object.defineProperty(radio, 'offsetHeight', { value: 0 })
    screen.getByRole('region', { name: 'List' }).append(radio)
    radio.focus()
    vi.useFakeTimers()
    named('Next').remove()
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    expect(document.activeElement).toBe(radio)
  })

  it('returns from a closed dialog to what opened the menu before it', async () => {
    const user = userEvent.setup()
    await user.click(named('Menu'))
    const menu = openBox('menu')
    const dialog = openBox('dialog')
    menu.remove()
    dialog.remove()
    await hasFocus(named('Menu'))
  })

  it('moves to the main part of the next page, not to what had the focus before', async () => {
    named('Menu').focus()
    const section = screen.getByRole('region', { name: 'List' })
    const main = (content: string) => {
      const part = document.createElement('main')
      part.innerHTML = content
      return document.body.appendChild(part)
    }
    const previous = main('<a href="#next">Select</a>')
    screen.getByRole('link', { name: 'Select' }).focus()
    vi.useFakeTimers()
    previous.remove()
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    const next = main('<p>Overview</p>')
    await hasFocus(next)
    named('Next').focus()
    section.replaceWith(section.cloneNode(true))
    await hasFocus(screen.getByRole('region', { name: 'List' }))
  })

  it('returns from a closed panel to what had the focus before it opened, not to the main part', async () => {
    const main = document.body.appendChild(document.createElement('main'))
    main.innerHTML = '<section aria-label="Details"><form><button>Save</button></form></section>'
    const details = screen.getByRole('region', { name: 'Details' })
    named('Next').focus()
    named('Save').focus()
    named('Save').closest('form')?.remove()
    await hasFocus(details)
    details.remove()
    await hasFocus(named('Next'))
  })

  it('counts as lost from its removal until the next key, even where a place has it', async () => {
    expect(isFocusLost()).toBe(false)
    named('Next').focus()
    expect(isFocusLost()).toBe(false)
    named('Next').remove()
    expect(isFocusLost()).toBe(true)
    await hasFocus(screen.getByRole('region', { name: 'List' }))
    expect(isFocusLost()).toBe(true)
    await userEvent.setup().keyboard('{ArrowDown}')
    expect(isFocusLost()).toBe(false)
  })

  it('stays where it went meanwhile', async () => {
    vi.useFakeTimers()
    named('Next').focus()
    named('Next').remove()
    await vi.advanceTimersByTimeAsync(0)
    named('Menu').focus()
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    expect(document.activeElement).toBe(named('Menu'))
  })

  it('opens no keyboard of a touch screen', async () => {
    const user = userEvent.setup()
    const search = screen.getByLabelText('Search')
    await user.click(named('Menu'))
    search.focus()
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    button.remove()
    await hasFocus(named('Menu'))
    await user.keyboard('{Escape}')
    search.focus()
    document.body.appendChild(button).focus()
    button.remove()
    await hasFocus(search)
  })
})
