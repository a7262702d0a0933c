import { randomUUID } from 'node:crypto'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { noteOpen } from '#server/features/open-records/open-records.queries.ts'
import { asset, incident, parcel, pointAt, squareAt, type TestFeature } from '#test/databases/test-map.ts'
import { aPhoto, sha256Of } from '#test/imports/file-bytes.ts'
import { preparePage } from '#test/page/page.tsx'
import { signIn } from '#test/server/signed-in.ts'

const page = preparePage()
const features = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie', buildings: 2, area: 12 }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(900, 0, 400) }),
  asset({ id: 'a1', name: 'Old well', type: 'water' }),
  incident({ id: 'i1', title: 'Smoke over the ridge', type: 'fire', date: '2026-01-15T12:00:37Z' }),
  {
    ...asset({ id: 'g1', name: 'Spring', type: 'water' }),
    kind: 'feature',
    featureType: 'water',
  } as TestFeature,
]
const form = () => within(screen.getByRole('form', { name: /^(Edit|New) / }))
const field = (label: string) =>
  form().getByLabelText<HTMLInputElement>(new RegExp(`^${label}( staff only)?[\\s*]*$`))
const fill = (label: string, text: string) => page.fill(field(label), text)
const count = (text: string) => form().findByText(text)
const problem = (label: string, text: RegExp) =>
  waitFor(() => {
    expect(document.activeElement).toBe(field(label))
    const ids = field(label).getAttribute('aria-describedby')?.split(' ') ?? []
    expect(ids.map((id) => document.getElementById(id)?.textContent).join()).toMatch(text)
  })
const press = (name: string | RegExp) => page.user.click(form().getByRole('button', { name }))
const isClosed = () => waitFor(() => expect(screen.queryByRole('form', { name: /^Edit / })).toBeNull())
const save = async () => {
  await press('Save')
  await isClosed()
}
const conflict = (label: string) => screen.findByRole('group', { name: `${label}: mine or theirs?` })
const editAgain = async () => {
  await page.press('button', /^Edit (?!shape of )/)
  await screen.findByRole('form', { name: /^Edit / })
}

async function open(id: string) {
  await page.signIn()
  const mapId = await page.given(features)
  await page.open(`/map/${mapId}?select=${id}`)
  return mapId
}
async function startEditing(id: string) {
  const mapId = await open(id)
  await editAgain()
  return mapId
}

describe('the form of a record', () => {
  it('saves what changed, points to problems, and can be undone', async () => {
    const mapId = await startEditing('p1')
    await count('No changes')
    await waitFor(() => expect(document.activeElement).toBe(field('Name')))
    await fill('Owner', 'Bob Quackenbush')
    await fill('Restrictions', 'No fences')
    await fill('Buildings', 'two')
    await count('3 changes')
    await press('Save')
    await problem('Buildings', /Must be a whole number of 0 or more/)
    await fill('Buildings', '3')
    expect(form().getByText(/^From the shape: /).textContent).toContain('The area above is different')
    await press('Use the shape’s area')
    expect(field('Area').value).toBe('')
    expect(form().getByText(/^From the shape: /).textContent).not.toContain('different')
    await fill('Area', '12')
    await save()
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit Lot 1'))
    await page.hasFact('Owner', 'Bob Quackenbush')
    expect(await page.saved(mapId, 'p1')).toMatchObject({
      owner: 'Bob Quackenbush',
      buildings: 3,
      zoning: { type: '', restrictions: 'No fences' },
      area: 12,
    })
    await page.undo('‘Lot 1’ saved')
    await page.hasFact('Owner', 'Ann Zabriskie')
    expect(await page.saved(mapId, 'p1')).toMatchObject({ buildings: 2, zoning: null })
  })

  it('is used by keyboard, and keeps unchanged times to the second', async () => {
    const mapId = await open('i1')
    ;(await screen.findByRole('button', { name: /^Edit (?!shape of )/ })).focus()
    await page.user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(field('Title')))
    await page.user.keyboard('{Escape}')
    await isClosed()
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Edit /))
    await page.user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(field('Title')))
    await page.user.clear(field('Title'))
    await page.user.keyboard('Smoke, seen twice{Tab}Gone by noon{Control>}s{/Control}')
    await isClosed()
    await page.hasDetailsOf('Smoke, seen twice')
    expect(await page.saved(mapId, 'i1')).toMatchObject({
      description: 'Gone by noon',
      date: '2026-01-15T12:00:37.000Z',
    })
  })

  it('of a new record keeps its photos until the record is saved, and then uploads them', async () => {
    const mapId = await open('a1')
    await page.type('Search the list', 'smoke')
    await waitFor(() => expect(page.search().text).toBe('smoke'))
    await page.press('button', 'Add')
    await page.press('menuitem', 'Asset')
    await screen.findByRole('form', { name: 'New asset' })
    await fill('Name', 'New hydrant')
    const [lng, lat] = (await page.saved(mapId, 'a1')).geometry.coordinates
    await fill('Coordinates', `${lat}, ${lng}`)
    const photo = new File([Buffer.from(await aPhoto())], 'Hydrant.jpg', { type: 'image/jpeg' })
    await page.user.upload(form().getByLabelText('Photos and files of the new record'), photo)
    const chosen = form().getByText('Hydrant.jpg').closest('li')
    await waitFor(() => expect(chosen?.querySelector('img')?.src).toMatch(/^blob:/))
    expect(page.asksBeforeClosing()).toBe(true)
    page.answer(/\/features$/, (ask, method) =>
      method === 'POST' ? Response.json({ detail: 'Not now.' }, { status: 503 }) : ask(),
    )
    await press('Add')
    await form().findByText(/^Not saved: /)
    form().getByText('Hydrant.jpg')
    page.answerAgain()
    await press('Add')
    await page.hasDetailsOf('New hydrant')
    expect(within(screen.getByRole('region', { name: 'Details' })).queryByText('ID')).toBeNull()
    // The search would hide it.
    await waitFor(() => expect(page.search().text).toBeUndefined())
    const files = `/api/maps/${mapId}/features/${page.search().select}/files`
    await waitFor(async () =>
      expect((await page.send('GET', files)).items).toMatchObject([{ name: 'Hydrant.jpg' }]),
    )
  })

  it('keeps edits over a reload, and asks before the user leaves the map or signs out', async () => {
    await startEditing('i1')
    await page.user.click(form().getByText('Resolved', { exact: true, selector: 'span' }))
    await fill('Reported by', 'Ann Zabriskie')
    await count('2 changes')
    expect(page.asksBeforeClosing()).toBe(true)
    await page.user.keyboard('{Escape}')
    await screen.findByRole('button', { name: 'Continue: 2 changes' })
    within(page.details()).getByText('Unsaved changes')
    expect((await page.row('Smoke over the ridge')).textContent).toContain('Unsaved changes')
    await page.reload()
    await waitFor(() => expect(field('Reported by').value).toBe('Ann Zabriskie'))
    const mapId = window.location.pathname.split('/').at(-1)
    await page.open(`/config/map/${mapId}/features`)
    await page.press('link', 'Map Selection')
    const leaving = await screen.findByRole('dialog', { name: 'Unsaved changes' })
    expect(leaving.textContent).toContain('‘Smoke over the ridge’')
    await page.answerDialog('Unsaved changes', 'Stay')
    await page.press('button', 'Logout')
    const warning = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }))
    expect(warning.getByRole('listitem').textContent).toBe('‘Smoke over the ridge’: Status and Reported by')
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    await page.answerDialog('Unsaved changes', 'Sign out without saving')
    await waitFor(() => expect(assign).toHaveBeenCalled())
    assign.mockRestore()
    expect(JSON.stringify(sessionStorage)).not.toContain('Zabriskie')
  })

  it('merges changes of another user, and asks about fields that both changed', async () => {
    const mapId = await startEditing('p1')
    await fill('Owner', 'Bob Quackenbush')
    await page.changeElsewhere(mapId, 'p1', { buildings: 5 })
    await page.hear()
    await form().findByText(/changed Buildings\. The form shows/)
    expect(field('Buildings').value).toBe('5')
    await count('1 change')
    await page.changeElsewhere(mapId, 'p1', { owner: 'Carla Quist', name: 'Lot 1b' })
    await page.hear()
    const theirs = await conflict('Owner')
    expect(theirs.textContent).toMatch(/Maya Ortiz \(.+\) also changed this to: Carla Quist/)
    await press('Save')
    const mine = within(theirs).getByRole('button', { name: 'Keep mine' })
    await waitFor(() => expect(document.activeElement).toBe(mine))
    await page.user.keyboard('{Enter}')
    await save()
    await page.alert('‘Lot 1b’ saved, with changes by others: Name and Buildings')
    expect(await page.saved(mapId, 'p1')).toMatchObject({ owner: 'Bob Quackenbush', buildings: 5 })
  })

  it('keeps its edits when the server refuses them', async () => {
    const mapId = await startEditing('a1')
    await fill('Description', 'Capped')
    await page.changeElsewhere(mapId, 'a1', { status: 'offline' })
    await save()
    await page.alert('‘Old well’ saved, with changes by others: Status')
    await editAgain()
    await fill('Description', 'Capped in May')
    await page.changeElsewhere(mapId, 'a1', { description: 'Capped in May' })
    await save()
    const { alert } = await page.alert(/‘Old well’ saved\.$/)
    expect(within(alert).queryByRole('button', { name: 'Undo' })).toBeNull()

    await editAgain()
    await fill('Name', 'Dry well')
    await page.changeElsewhere(mapId, 'a1', { name: 'Shallow well' })
    await press('Save')
    await page.user.click(within(await conflict('Name')).getByRole('button', { name: 'Take theirs' }))
    await waitFor(() => expect(field('Name').value).toBe('Shallow well'))
    await count('No changes')

    await fill('Name', 'Deep well')
    const { version } = await page.saved(mapId, 'a1')
    await page.send('DELETE', `/api/maps/${mapId}/features/a1`, undefined, version)
    await page.alert('Someone else removed this record.')
    expect(field('Name').value).toBe('Deep well')
    await press('Restore and save')
    await page.alert('‘Deep well’ saved')
    expect(await page.saved(mapId, 'a1')).toMatchObject({ name: 'Deep well' })
  })

  it('shows a rule of the server at its field', async () => {
    await startEditing('g1')
    await page.user.selectOptions(field('Type'), 'Fire')
    await press('Save')
    await problem('Type', /Must be one of water/)
  })

  it('is dropped and resumed', async () => {
    const mapId = await startEditing('a1')
    await fill('Parcel', 'lot 2')
    await page.user.click(await screen.findByRole('option', { name: 'Lot 2' }))
    await count('1 change')
    await press('Cancel')
    await isClosed()
    await screen.findByRole('button', { name: 'Edit Old well' })
    await page.undo('Discarded 1 change to ‘Old well’')
    await waitFor(() => expect(field('Parcel').value).toBe('Lot 2'))
    await save()
    await page.hasFact('Parcel', 'Lot 2')
    await editAgain()
    await page.user.click(field('Parcel'))
    await page.user.click(await screen.findByRole('option', { name: 'Set by location' }))
    await save()
    expect(await page.saved(mapId, 'a1')).toMatchObject({ parcelId: 'p1' })
  })
})

describe('a record', () => {
  it('is removed, and restored by its undo', async () => {
    const mapId = await open('a1')
    await page.press('button', 'More actions for Old well')
    await screen.findByRole('menuitem', { name: 'Remove' })
    await page.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
    await page.hasDetailsOf('Old well')
    await page.press('button', 'More actions for Old well')
    await page.press('menuitem', 'Remove')
    await page.alert('‘Old well’ removed')
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
    await page.undo('‘Old well’ removed')
    await waitFor(async () => expect(await page.saved(mapId, 'a1')).toMatchObject({ name: 'Old well' }))
  })

  it('is restored from the list of removed ones', async () => {
    const mapId = await page.given(features)
    await page.signIn()
    await page.send('DELETE', `/api/maps/${mapId}/features/a1`, undefined, 1)
    await page.open(`/config/map/${mapId}/features`)
    await page.press('button', 'More')
    await page.press('menuitem', 'Recently removed…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Recently removed' }))
    const item = await dialog.findByRole('listitem')
    expect(item.textContent).toMatch(/Old well\s*Asset, removed by Maya Ortiz/)
    await page.user.click(within(item).getByRole('button'))
    await dialog.findByText('No records removed in the last 30 days.')
    expect(await page.saved(mapId, 'a1')).toMatchObject({ name: 'Old well', version: 3 })
    await page.user.keyboard('{Escape}')
    await page.hasDetailsOf('Old well')
  })

  it('is restored with all records of the change that removed it', async () => {
    const mapId = await page.given(features)
    await page.signIn()
    const items = [
      { action: 'remove', id: 'p1', version: 1 },
      { action: 'change', id: 'p2', version: 1, change: { owner: 'Bob Quackenbush' } },
    ]
    const { owner } = await page.saved(mapId, 'p2')
    await page.send('POST', `/api/maps/${mapId}/features/changes`, { id: 'merge', items })
    await page.open(`/config/map/${mapId}/features`)
    await page.press('button', 'More')
    await page.press('menuitem', 'Recently removed…')
    await page.press('button', 'Undo in all 2 records')
    await page.alert('Change undone')
    await screen.findByText('No records removed in the last 30 days.')
    expect(await page.saved(mapId, 'p1')).toMatchObject({ name: 'Lot 1' })
    expect(await page.saved(mapId, 'p2')).toMatchObject({ owner })
  })

  it('offers visitors no changes, and loads no forms for them', async () => {
    const mapId = await page.given(features)
    await page.open(`/map/${mapId}?select=p1`)
    await page.hasDetailsOf('Lot 1')
    expect(within(page.details()).queryByRole('button', { name: /^(Edit|More actions)/ })).toBeNull()
  })

  it('names others who have it open or edit it', async () => {
    const mapId = await open('p1')
    await page.hasDetailsOf('Lot 1')
    const rosa = { id: 'rosa', name: 'Rosa Delgado', roles: { isAdministrator: true, ofMaps: {} } }
    const note = (isEditing: boolean) =>
      noteOpen(
        page.server.database,
        { mapId, featureId: 'p1', pageId: 'her-page' },
        { person: rosa, isEditing },
        Date.now(),
      )
    const says = async (text: string) => {
      await page.client.invalidateQueries()
      await waitFor(() => expect(page.details().textContent).toContain(text))
    }
    await note(false)
    await page.reload()
    await says('Rosa Delgado is also viewing this')
    await note(true)
    await page.reload()
    await says('Rosa Delgado is editing this')
    await editAgain()
    await says('Rosa Delgado is also editing this')
  })

  it('has a timeline of its changes, any of which can be restored', async () => {
    const mapId = await open('p1')
    await page.press('button', 'Timeline')
    const timeline = () => within(screen.getByRole('region', { name: 'Timeline' }))
    await timeline().findByText('No changes yet')
    for (const change of [
      { owner: 'Bob Quackenbush' },
      { zoning: { type: 'R-1' } },
      { geometry: squareAt(0, 0, 100) },
    ])
      await page.changeElsewhere(mapId, 'p1', change)
    await page.hear()
    const entries = () => timeline().getAllByRole('listitem')
    const restore = (entry: HTMLElement | undefined) =>
      page.user.click(within(entry as HTMLElement).getByRole('button', { name: 'Restore this version' }))
    await waitFor(() => expect(entries()).toHaveLength(4))
    expect(entries()[0]?.textContent).toMatch(/Maya Ortiz changed its shape, .*Shape.* acres .*→.* acres/s)
    expect(entries()[1]?.textContent).toContain('Zoning– → R-1')
    expect(entries()[2]?.textContent).toContain('OwnerAnn Zabriskie → Bob Quackenbush')
    await restore(entries()[2])
    const title = 'Restore the earlier shape?'
    expect((await screen.findByRole('dialog', { name: title })).textContent).toContain('gaps or overlaps')
    await page.answerDialog(title, 'Cancel')
    expect(await page.saved(mapId, 'p1')).toMatchObject({ version: 4 })
    await restore(entries()[2])
    await page.answerDialog(title, 'Restore')
    await page.alert('‘Lot 1’ restored')
    expect(await page.saved(mapId, 'p1')).toMatchObject({
      owner: 'Bob Quackenbush',
      zoning: null,
      version: 5,
    })
    await waitFor(() => expect(entries()).toHaveLength(5))
    // The shape is the first one again.
    await restore(entries().at(-1))
    await page.hasFact('Owner', 'Ann Zabriskie')
  })

  it('offers to undo the latest change in its timeline, also a restored version, and to redo it', async () => {
    const mapId = await open('p1')
    await page.changeElsewhere(mapId, 'p1', { owner: 'Bob Quackenbush' })
    await page.changeElsewhere(mapId, 'p1', { owner: 'Cy Young' })
    await page.hear()
    await page.press('button', 'Timeline')
    const timeline = within(screen.getByRole('region', { name: 'Timeline' }))
    const latest = async (label: string) => {
      await waitFor(() =>
        expect(timeline.getAllByRole('button', { name: /^(Undo|Redo)$/ })).toMatchObject([
          { textContent: label },
        ]),
      )
      return timeline.getByRole('button', { name: label })
    }
    await page.hasFact('Owner', 'Cy Young')
    await latest('Undo')
    const [button] = timeline.getAllByRole('button', { name: 'Restore this version' })
    await page.user.click(button as HTMLElement)
    await page.hasFact('Owner', 'Bob Quackenbush')
    await waitFor(() => expect(timeline.getAllByRole('listitem')).toHaveLength(4))
    await page.user.click(await latest('Undo'))
    await page.hasFact('Owner', 'Cy Young')
    await page.user.click(await latest('Redo'))
    await page.hasFact('Owner', 'Bob Quackenbush')
    await latest('Undo')
  })

  it('offers no undo of the restoration of a removed record in its timeline', async () => {
    await page.signIn()
    const mapId = await page.given(features)
    const items = [{ action: 'remove', id: 'a1', version: 1 }]
    await page.send('POST', `/api/maps/${mapId}/features/changes`, { id: 'gone', items })
    await page.send('POST', `/api/maps/${mapId}/removed-features/a1/put-back`, {})
    await page.open(`/map/${mapId}?select=a1`)
    await page.press('button', 'Timeline')
    const timeline = within(screen.getByRole('region', { name: 'Timeline' }))
    await timeline.findByText(/restored it/)
    expect(timeline.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('restores the earlier place of a point without a question', async () => {
    const mapId = await open('i1')
    await page.changeElsewhere(mapId, 'i1', { geometry: pointAt(5, 5), severity: 'high' })
    await page.hear()
    await page.hasFact('Severity', /high/i)
    await page.press('button', 'Timeline')
    await page.press('button', 'Restore this version')
    await page.alert('‘Smoke over the ridge’ restored')
  })

  it('names the change of several records in the question about an earlier shape', async () => {
    const mapId = await open('p1')
    const items = [
      { action: 'change', id: 'p1', version: 1, change: { geometry: squareAt(0, 0, 100) } },
      { action: 'remove', id: 'p2', version: 1 },
    ]
    await page.send('POST', `/api/maps/${mapId}/features/changes`, { id: 'merge', items })
    await page.hear()
    await page.press('button', 'Timeline')
    await page.press('button', 'Restore this version')
    const dialog = await screen.findByRole('dialog', { name: 'Restore the earlier shape?' })
    const timeline = within(screen.getByRole('region', { name: 'Timeline' }))
    const together = timeline.getByRole('button', { name: /^Undo in all/, hidden: true })
    expect(dialog.textContent).toContain(`‘${together.textContent}’ in the timeline restores all of them`)
  })

  it('offers to undo a change of several records in its timeline until that is undone', async () => {
    const mapId = await open('p1')
    const items = ['p1', 'p2'].map((id) => ({
      action: 'change',
      id,
      version: 1,
      change: { owner: 'Bob Quackenbush' },
    }))
    await page.send('POST', `/api/maps/${mapId}/features/changes`, { id: 'both', items })
    await page.hear()
    await page.press('button', 'Timeline')
    await page.press('button', 'Undo in all 2 records')
    await waitFor(async () => expect(await page.saved(mapId, 'p2')).toMatchObject({ version: 3 }))
    const timeline = screen.getByRole('region', { name: 'Timeline' })
    await waitFor(() => expect(timeline.textContent).toMatch(/changed it, .* \(undone\)/))
    // That of the undoing change.
    expect(within(timeline).getAllByRole('button', { name: 'Undo in all 2 records' })).toHaveLength(1)
  })

  it('has maintenance, photos and changes in its timeline, also by kind', async () => {
    const maintenanceHistory = [{ date: '2020-05-12', description: 'Pumped out' }]
    const mapId = await page.given([asset({ id: 'a1', name: 'Old well', maintenanceHistory })])
    // Where it is another day than in UTC.
    const time_zone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
    await page.server.database.write((transaction) =>
      transaction.updateTable('clients').set({ time_zone }).where('map_id', '=', mapId).execute(),
    )
    await page.signIn()
    await page.changeElsewhere(mapId, 'a1', { description: 'Behind the barn' })
    const photo = await aPhoto()
    const upload = { id: randomUUID(), featureId: 'a1', name: 'Well.jpg' }
    const uploads = `/api/maps/${mapId}/uploads`
    await page.send('POST', uploads, { ...upload, size: photo.length, sha256: sha256Of(photo) })
    const answer = await page.server.send({
      method: 'PUT',
      url: `${uploads}/${upload.id}?offset=0`,
      headers: { ...(await signIn(page.server.database)), 'content-type': 'application/octet-stream' },
      payload: Buffer.from(photo),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    await page.open(`/map/${mapId}?select=a1`)
    await page.press('button', 'Mark done today')
    await page.press('button', 'Timeline')
    const timeline = () => within(screen.getByRole('region', { name: 'Timeline' }))
    const hasEntries = (...expected: RegExp[]) =>
      waitFor(() =>
        expect(
          timeline()
            .getAllByRole('listitem')
            .map(({ textContent }) => textContent),
        ).toEqual(expected.map((pattern) => expect.stringMatching(pattern))),
      )
    await hasEntries(
      /^Maya Ortiz changed it, .*Maintenance– → /,
      /^Maya Ortiz added a photo, .*Well\.jpg$/,
      /^Maya Ortiz changed it, .*Description– → Behind the barn/,
      /^Earlier version/,
      /^Pumped out, May 12, 2020$/,
    )
    await page.user.click(timeline().getByRole('radio', { name: 'Maintenance' }))
    await hasEntries(/^Maintenance, /, /^Pumped out, May 12, 2020$/)
    await page.user.click(timeline().getByRole('radio', { name: 'Photos and files' }))
    await hasEntries(/Well\.jpg$/)
    const picture = screen.getByRole('region', { name: 'Timeline' }).querySelector('img')
    expect((await fetch(picture?.src ?? '')).headers.get('content-type')).toMatch(/^image\//)
  })
})
