import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ConfirmationDialog } from './confirmation-dialog.tsx'
import { Dialog, SideDialog, StageDialog } from './dialog.tsx'

afterEach(cleanup)

const nothing = () => {}
async function descriptionOf(part: React.ReactNode): Promise<(string | null)[]> {
  render(<MantineProvider env="test">{part}</MantineProvider>)
  const id = (await screen.findByRole('dialog')).getAttribute('aria-describedby')
  screen.getByText('Name')
  return [...document.querySelectorAll(`[id="${id}"]`)].map(({ textContent }) => textContent)
}

it('describes a confirmation by its text, without its buttons', async () => {
  const parts = { title: 'Remove it?', isOpen: true, stay: 'Cancel', onStay: nothing, go: 'Name' }
  const dialog = (
    <ConfirmationDialog {...parts} onGo={nothing}>
      {() => <p>You cannot undo this.</p>}
    </ConfirmationDialog>
  )
  expect(await descriptionOf(dialog)).toEqual(['You cannot undo this.'])
})

const form = { isOpen: true, onClose: nothing, children: () => <h3>Name</h3> }
it.each([
  ['in the middle', <Dialog key="middle" title="New lot" {...form} />],
  ['from the left', <SideDialog key="left" label="New lot" from="left" {...form} />],
  ['from the bottom', <SideDialog key="bottom" label="New lot" from="bottom" {...form} />],
  ['of the whole screen', <StageDialog key="stage" label="New lot" {...form} />],
])('does not describe a dialog %s by its form', async (_, dialog) => {
  expect(await descriptionOf(dialog)).toEqual([''])
})
