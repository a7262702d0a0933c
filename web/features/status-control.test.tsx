import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { asset } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
beforeEach(() => page.signIn())

it('a status passed by with the arrow keys is not saved, the last one is', async () => {
  const mapId = await page.given([asset({ id: 'well', name: 'Well', status: 'operational' })])
  await page.open(`/map/${mapId}?select=well`)
  // The editable details replace the first ones, with their control.
  await screen.findByRole('button', { name: 'Edit Well' })
  const control = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Status of Well' })
  const pass = (status: string) => {
    control.focus()
    fireEvent.keyDown(control, { key: 'ArrowDown' })
    fireEvent.change(control, { target: { value: status } })
  }
  pass('maintenance')
  pass('offline')
  expect(await page.saved(mapId, 'well')).toMatchObject({ status: 'operational' })
  await page.user.keyboard('{Enter}')
  await page.alert('‘Well’: offline')
  expect(await page.saved(mapId, 'well')).toMatchObject({ status: 'offline', version: 2 })

  pass('operational')
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(control.value).toBe('offline'))

  // A choice by another way replaces the passing one.
  pass('operational')
  fireEvent.pointerDown(control)
  fireEvent.change(control, { target: { value: 'maintenance' } })
  fireEvent.blur(control)
  await page.alert('‘Well’: maintenance')
  expect(await page.saved(mapId, 'well')).toMatchObject({ status: 'maintenance', version: 3 })
})
