import { describe, expect, it } from 'vitest'
import type { TableColumn } from '#domain/features/table-columns.ts'
import { seedOf, withEdit } from './use-cell-edit.ts'

const press = (key: string, modifiers = {}) =>
  seedOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers })

describe('the first text of an edited cell', () => {
  it.each([
    ['Enter', null],
    ['F2', null],
    ['Backspace', ''],
    ['Delete', ''],
    ['x', 'x'],
    ['é', 'é'],
    [' ', undefined],
    ['ArrowDown', undefined],
    ['Escape', undefined],
  ])('after %j is %j', (key, seed) => {
    expect(press(key)).toBe(seed)
  })

  it('ignores shortcuts', () => {
    expect(press('c', { ctrlKey: true })).toBeUndefined()
    expect(press('c', { metaKey: true })).toBeUndefined()
    expect(press('Enter', { altKey: true })).toBeUndefined()
  })
})

describe('typing before the control of a cell has the focus', () => {
  const column = (id: string): TableColumn => ({
    id,
    label: id,
    width: 100,
    isRequested: false,
    fields: new Map(),
  })
  const edit = { id: 'a', index: 3, column: column('name'), seed: 'b' }

  it('adds to the text of the same cell', () => {
    expect(withEdit(edit, { ...edit, seed: 'c' }).seed).toBe('bc')
    expect(withEdit({ ...edit, seed: null }, { ...edit, seed: 'c' }).seed).toBe('c')
  })

  it.each([
    ['another row', { ...edit, id: 'd', seed: 'c' }],
    ['another column', { ...edit, column: column('date'), seed: 'c' }],
  ])('starts again in %s', (_, next) => {
    expect(withEdit(edit, next)).toBe(next)
  })
})
