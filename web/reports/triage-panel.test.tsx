import { Notifications } from '@mantine/notifications'
import { RouterContextProvider } from '@tanstack/react-router'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { incident, origin, pointAt, type TestFeature } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { newFileId } from '#web/api/files.api.ts'
import { createPageRouter } from '#web/app/router.tsx'
import { BlockedSenders } from '#web/map-configuration/blocked-senders.tsx'
import { TriagePanel } from './triage-panel.tsx'

const page = preparePage()

function Selecting({ mapId, first }: { mapId: string; first: string | undefined }) {
  const [selectedId, setSelectedId] = useState(first)
  return <TriagePanel mapId={mapId} selectedId={selectedId} onSelect={setSelectedId} onShow={() => {}} />
}

async function openTriage(email: string | null = null, others: TestFeature[] = []) {
  await page.signIn()
  const mapId = await page.given([incident({ id: 'flood', title: 'Water on the road' }), ...others])
  const add = async () => {
    const id = newFileId()
    const report = { id, key: 'ab'.repeat(16), type: 'flood', place: origin, description: 'Knee-deep', email }
    await page.send('POST', `/api/maps/${mapId}/reports`, report)
    return id
  }
  const ids = [await add(), await add()]
  await page.show(
    <RouterContextProvider router={createPageRouter()}>
      <Notifications />
      <Selecting mapId={mapId} first={ids[0]} />
    </RouterContextProvider>,
  )
  const notes = () => page.send('GET', `/api/maps/${mapId}/incidents/flood/notes`)
  return { mapId, ids, notes }
}

it('merges a report into a confirmed incident, tells how many people reported it, and undoes the merge', async () => {
  const { notes } = await openTriage()
  const candidate = await screen.findByText(/^Water on the road \(here\)/)
  expect(candidate).toBeTruthy()
  await page.user.click(await screen.findByRole('button', { name: 'Merge as duplicate (D)' }))
  await page.user.keyboard('{Enter}')
  const merged = await page.alert('R-1 merged into ‘Water on the road’')
  expect(await notes()).toMatchObject({ reporters: 1, items: [{ text: 'Knee-deep', isWaiting: true }] })

  await merged.click('Undo')
  await page.alert('R-1 waits for review again')
  expect(await notes()).toMatchObject({ reporters: 0, items: [], merged: [] })
})

it('focuses one incident after the other with D, and merges only into a confirmed one', async () => {
  const other = incident({ id: 'other', title: 'Burst pipe', geometry: pointAt(20, 0) })
  const { mapId } = await openTriage(null, [other])
  await screen.findByText(/^Burst pipe/)
  const choices = screen.getAllByRole('button', { name: /^Same problem as ‘/ })
  for (const choice of choices) {
    await page.user.keyboard('d')
    expect(document.activeElement).toBe(choice)
  }
  await page.user.keyboard('d')
  expect(document.activeElement).toBe(
    screen.getByRole('combobox', { name: 'Same problem as another incident' }),
  )
  expect(await page.send('GET', `/api/maps/${mapId}/reports?state=new`)).toMatchObject({ total: 2 })
})

it('moves the focus to the report that keys decide, and on to the next one', async () => {
  const { mapId } = await openTriage()
  const [first, second] = await screen.findAllByRole('button', { name: /R-\d/ })
  await page.user.keyboard('k')
  expect(document.activeElement).toBe(first)
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(second)
  expect(screen.getByRole('article').textContent).toContain('R-2')
  await page.user.keyboard('r')
  await page.alert('R-2 rejected')
  expect(document.activeElement).toBe(first)
  const elsewhere = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => elsewhere.remove())
  elsewhere.focus()
  await page.user.keyboard('a')
  await page.user.keyboard('j')
  expect(document.activeElement?.textContent).toContain('R-1')
  expect(await page.send('GET', `/api/maps/${mapId}/reports?state=new`)).toMatchObject({ total: 1 })
})

it('decides one report with a held key', async () => {
  const { mapId } = await openTriage()
  await screen.findByText(/^Water on the road/)
  const total = async () => (await page.send('GET', `/api/maps/${mapId}/reports?state=hidden`)).total
  fireEvent.keyDown(document.body, { key: 'h', repeat: true })
  fireEvent.keyDown(document.body, { key: 'h' })
  fireEvent.keyDown(document.body, { key: 'h', repeat: true })
  await page.alert('R-1 hidden')
  expect(await total()).toBe(1)
  expect(page.requests.filter((one) => one.includes('/decision'))).toHaveLength(1)
})

it('selects the report again whose decision is undone', async () => {
  await openTriage()
  const selected = () =>
    screen.getByRole('list', { name: 'Reports' }).querySelector('[aria-current]')?.textContent
  await waitFor(() => expect(selected()).toContain('R-1'))
  await page.user.keyboard('a')
  const accepted = await page.alert('R-1 is on the map')
  await waitFor(() => expect(selected()).toContain('R-2'))
  await page.user.selectOptions(screen.getByLabelText('Show'), 'accepted')
  await accepted.click('Undo')
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Show').value).toBe('new'))
  await waitFor(() => expect(selected()).toContain('R-1'))
})

it('edits the first field after E, and cancels with Escape', async () => {
  await openTriage()
  await screen.findByText(/^Water on the road/)
  await page.user.keyboard('e')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Title' }))
  await page.user.keyboard('rd{Escape}')
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()
  expect(screen.getByRole('article')).toBeTruthy()
})

it('merges a report into an incident that is not nearby', async () => {
  const far = incident({ id: 'far', title: 'Creek over its banks', geometry: pointAt(3_000, 3_000) })
  const { mapId } = await openTriage(null, [far])
  expect(await screen.findByText(/^Water on the road \(here\)/)).toBeTruthy()
  const select = screen.getByRole('combobox', { name: 'Same problem as another incident' })
  await page.user.type(select, 'creek')
  await page.user.click(await screen.findByRole('option', { name: /^Creek over its banks \(.* mi away\)$/ }))
  await page.alert('R-1 merged into ‘Creek over its banks’')
  expect(await page.send('GET', `/api/maps/${mapId}/incidents/far/notes`)).toMatchObject({ reporters: 1 })
})

it('shows the incident that a report was merged into', async () => {
  const { mapId, ids } = await openTriage()
  const decision = { state: 'duplicate', duplicateOf: 'flood' }
  for (const id of ids) await page.send('PUT', `/api/maps/${mapId}/reports/${id}/decision`, decision, 1)
  await page.user.selectOptions(await screen.findByLabelText('Show'), 'duplicate')
  const details = await screen.findByRole('article')
  await waitFor(() => expect(details.textContent).toContain('Merged into Water on the road'))
  expect(details.textContent).toContain('2 people reported this.')
})

it('links accepted reports to their incidents', async () => {
  const { mapId, ids } = await openTriage()
  await page.user.click(await screen.findByRole('button', { name: 'Accept (A)' }))
  await page.alert('R-1 is on the map')
  await page.user.selectOptions(screen.getByLabelText('Show'), 'On the map')
  const link = await screen.findByRole('link', { name: 'Open the incident' })
  expect(link.getAttribute('href')).toBe(`/config/map/${mapId}/features?kind=incident&select=${ids[0]}`)
})

it('shows the comments of the reporter on a report that waits', async () => {
  const mapId = await page.given([])
  const [id, key] = [newFileId(), 'ab'.repeat(16)]
  await page.send('POST', `/api/maps/${mapId}/reports`, { id, key, type: 'flood', place: origin })
  const comment = { id: newFileId(), text: 'It rises' }
  const url = `/api/maps/${mapId}/reports/${id}/own/comments`
  await page.server.send({ method: 'POST', url, headers: { 'report-key': key }, payload: comment })
  await page.signIn()
  await page.show(
    <RouterContextProvider router={createPageRouter()}>
      <Selecting mapId={mapId} first={id} />
    </RouterContextProvider>,
  )
  const comments = await screen.findByRole('region', { name: 'Comments of the reporter' })
  expect(comments.textContent).toContain('It rises')
})

it('says that emails wait if there is no mail server', async () => {
  await openTriage('neighbor@example.org')
  const details = await screen.findByRole('article')
  expect(details.textContent).toContain('neighbor@example.org (staff only)')
  expect(details.textContent).toContain('Emails to the reporter wait')
  expect(screen.queryByRole('link', { name: 'Send a notice' })).toBeNull()
})

it('leads to the records that a notice is about', async () => {
  page.answer(/\/reports\?/, async (ask) =>
    Response.json({ ...(await (await ask()).json()), sendsMail: true }),
  )
  const { mapId } = await openTriage()
  const link = await screen.findByRole('link', { name: 'Send a notice' })
  expect(link.getAttribute('href')).toBe(`/config/map/${mapId}/features?kind=parcel`)
  await page.user.click(link)
  await page.alert('Select parcels or roads, then choose ‘Send a notice’ in ‘Actions’')
})

it('blocks the sender of a report, and undoes it', async () => {
  const mapId = await page.given([])
  const report = { id: newFileId(), key: 'ab'.repeat(16), type: 'flood', place: origin }
  await page.send('POST', `/api/maps/${mapId}/reports`, report)
  await page.signIn()
  await page.show(
    <RouterContextProvider router={createPageRouter()}>
      <Notifications />
      <TriagePanel mapId={mapId} selectedId={report.id} onSelect={() => {}} onShow={() => {}} />
      <BlockedSenders mapId={mapId} />
    </RouterContextProvider>,
  )
  await screen.findByText(/^None. You can block the sender/)
  await page.user.selectOptions(await screen.findByLabelText('Block the sender for'), '1 day')
  await screen.findByText(/neighbors on the same network/)
  await page.press('button', 'Block this sender')
  const blocked = await page.alert('Sender of R-1 blocked for 1 day')
  await screen.findByText(/^The sender is blocked until/)
  await screen.findByRole('button', { name: 'Unblock the sender of R-1' })
  await blocked.click('Undo')
  await page.alert('Sender of R-1 unblocked')
  await screen.findByRole('button', { name: 'Block this sender' })
  await screen.findByText(/^None. You can block the sender/)
})

it('hides all listed reports at once, and undoes it', async () => {
  const { mapId } = await openTriage()
  await page.user.click(await screen.findByRole('button', { name: 'Hide all 2 reports' }))
  await page.user.click(await screen.findByRole('button', { name: 'Hide all' }))
  const hidden = await page.alert('2 reports hidden')
  const inState = (state: string) => page.send('GET', `/api/maps/${mapId}/reports?state=${state}`)
  expect(await inState('hidden')).toMatchObject({ total: 2 })
  await hidden.click('Undo')
  await page.alert('2 reports back in the review')
  expect(await inState('new')).toMatchObject({ total: 2 })
})
