import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { ShapeBar } from './shape-bar.tsx'

afterEach(cleanup)

it('only closes an open menu by a click on the map', async () => {
  const onMap = vi.fn()
  const actions = [{ label: 'Straighten', run() {} }]
  render(
    <MantineProvider>
      <button type="button" onClick={onMap}>
        Map
      </button>
      <ShapeBar text="" actions={[]} menus={[{ label: 'Corner', actions }]} />
    </MantineProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Corner' }))
  await screen.findByRole('menuitem', { name: 'Straighten' })
  const overlay = document.querySelector('.mantine-Menu-overlay, .mantine-Popover-overlay')
  if (!overlay) throw new Error('The map is not covered.')
  await userEvent.pointer({ keys: '[MouseLeft>]', target: overlay })
  expect(screen.queryByRole('menu')).not.toBeNull()
  await userEvent.click(overlay)
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(onMap).not.toHaveBeenCalled()
})
