import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Drawing, DrawingChange } from '#domain/drawings/drawing.schema.ts'
import { placeAt } from '#test/databases/test-map.ts'
import { DrawingPage } from '#test/page/drawing-page.tsx'
import { preparePage } from '#test/page/page.tsx'
import { signIn } from '#test/server/signed-in.ts'
import { followChanges } from '#web/api/changes.ts'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { sessionQuery } from '#web/api/session.api.ts'
import { discardUnsavedWork, unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

const page = preparePage()
const drawing = new DrawingPage(page)

const rosa = { id: 'rosa', name: 'Rosa Delgado' }
const created = /\/drawings$/
const changed = /\/drawings\/[^?]+$/

async function open(mapId?: string) {
  await page.signIn('administrator', rosa)
  await drawing.open(mapId === undefined ? {} : { mapId })
  await within(drawing.panel).findByRole('button', { name: /drawing/ })
}

const count = () =>
  within(drawing.panel).getByRole('button', { name: /^([\d,]+ drawings?|No drawings yet)$/ })
const form = () => within(drawing.panel).queryByRole('form', { name: 'Drawing' })
const field = (name: string) => within(drawing.panel).getByLabelText<HTMLInputElement>(name)
const fill = (name: string, value: string) => fireEvent.change(field(name), { target: { value } })
const submit = () => fireEvent.submit(form() as HTMLElement)
const hasNotice = (text: string | RegExp) => waitFor(() => expect(drawing.notices).toMatch(text))
const hasSaved = (expected: Partial<Drawing>[]) =>
  waitFor(async () => expect(await drawing.saved()).toMatchObject(expected))

/** A square of 100 m; meters from the center to its south-west corner. */
async function drawSquare(east = 0, north = 0) {
  await drawing.draw('Rectangle', placeAt(east, north), placeAt(east + 100, north + 100))
  await drawing.press('Draw: Rectangle')
}
async function reshape(east = 0, north = 0) {
  await drawing.edit(placeAt(east + 50, north + 50))
  await drawing.drag(placeAt(east + 100, north + 100), placeAt(east + 60, north + 60))
}
async function markSquare() {
  await drawing.choose('Delete shapes')
  await drawing.clickAt(placeAt(50, 50))
}
const select = () => drawing.clickAt(placeAt(0, 50))

/** Another user changes the only drawing, or deletes it. */
async function asGrace(change: Partial<DrawingChange> | null) {
  const grace = await signIn(page.server.database, 'administrator', { id: 'grace', name: 'Grace Whitfield' })
  const url = `/api/maps/${drawing.mapId}/drawings`
  const [{ id, version, kind, geometry, name, note }] = (
    await page.server.send({ url, headers: grace })
  ).json().items
  const method = change ? 'PUT' : 'DELETE'
  const answer = await page.server.send({
    method,
    url: `${url}/${id}`,
    headers: { ...grace, 'if-match': `"${version}"` },
    ...(change ? { payload: { kind, geometry, name, note, ...change } } : {}),
  })
  expect(answer.statusCode).toBeLessThan(300)
}
const hear = () =>
  act(() => page.client.invalidateQueries({ queryKey: drawingsQuery(drawing.mapId).queryKey }))

/** The server stores the change, and its answer is lost. */
const loseAnswer = async (ask: () => Promise<Response>) => {
  await ask()
  throw new TypeError('Failed to fetch')
}

async function startWithSquare() {
  await open()
  await drawSquare()
  await hasSaved([{ version: 1 }])
  await drawing.isSaved()
}

describe('saved drawings', () => {
  it('are named, deleted, and restored with their name', async () => {
    await startWithSquare()
    expect(count().textContent).toBe('1 drawing')
    await select()
    expect(form()?.textContent).toMatch(/Drawn by you \(Rosa Delgado\), just now/)
    fill('Name', 'New fence')
    fill('Note', 'Ask the neighbours')
    submit()
    await hasSaved([{ name: 'New fence', note: 'Ask the neighbours', version: 2 }])
    for (const action of ['Save', 'Clear all']) {
      await (action === 'Save' ? markSquare() : drawing.press('Delete shapes'))
      await drawing.press(action)
      await hasSaved([])
      await drawing.press('Undo')
      await hasSaved([{ name: 'New fence' }])
      await drawing.isSaved()
    }
  })

  it('are only requested again in a newer version', async () => {
    await startWithSquare()
    const [{ id = '' } = {}] = await drawing.saved()
    page.requests.length = 0
    const hearOf = (version: number) =>
      act(async () => followChanges(page.client, [{ mapId: drawing.mapId, part: 'drawings', id, version }]))
    await hearOf(1)
    expect(page.requests).toEqual([])
    await hearOf(2)
    await waitFor(() => expect(page.requests).toEqual([expect.stringMatching(/\/drawings/)]))
  })

  it('stay when another user clears their own', async () => {
    await startWithSquare()
    await page.signIn('administrator', { id: 'grace', name: 'Grace Whitfield' })
    await hear()
    await drawSquare(0, -200)
    await waitFor(() => expect(count().textContent).toBe('2 drawings'))
    await drawing.isSaved()
    await drawing.press('Delete shapes')
    await drawing.press('Clear all')
    await hasSaved([{ author: 'Rosa Delgado' } as never])
    expect(count().textContent).toBe('1 drawing')
  })

  it('are not offered to visitors, who keep their own in the tab', async () => {
    await drawing.open()
    await drawSquare()
    await drawSquare(-200)
    expect(screen.queryByRole('region', { name: 'Drawings' })).toBeNull()
    expect(page.requests.filter((request) => request.includes('/drawings'))).toEqual([])
    const { mapId } = drawing
    await open(mapId)
    expect(drawing.panel.textContent).toContain(
      'You drew 2 shapes before you signed in. They are only stored in this tab.',
    )
    expect(await drawing.saved()).toEqual([])
    await drawing.press('Not now')
    expect(screen.queryByRole('button', { name: 'Save to map' })).toBeNull()
    await open(mapId)
    await drawing.press('Save to map')
    await waitFor(async () => expect(await drawing.saved()).toHaveLength(2))
    expect(count().textContent).toBe('2 drawings')
    expect(screen.queryByRole('button', { name: 'Save to map' })).toBeNull()
    expect(sessionStorage.getItem(`poa.shapes.${mapId}`)).toBeNull()
  })

  it('are not saved on the sample map', async () => {
    await page.signIn('administrator', rosa)
    await drawing.open({ mapId: 'sample' })
    await drawSquare()
    expect(screen.queryByRole('region', { name: 'Drawings' })).toBeNull()
    expect(page.requests.filter((request) => request.includes('/drawings'))).toEqual([])
    await drawing.press('Delete shapes')
    await drawing.press('Clear all')
  })

  it('open on a click on their edge, or inside where no feature is', async () => {
    await startWithSquare()
    await drawing.clickAt(placeAt(50, 50))
    expect(form()).toBeTruthy()
    await drawing.clickAt(placeAt(-200, -200))
    expect(form()).toBeNull()
    drawing.hits = [{ id: 'well' }]
    await drawing.clickAt(placeAt(50, 50))
    expect(form()).toBeNull()
    await select()
    expect(form()).toBeTruthy()
    drawing.hits = []
  })
})

describe('form', () => {
  it('saves when something else is selected, and not after Cancel', async () => {
    await startWithSquare()
    await select()
    fill('Note', 'Ask the neighbours')
    expect(unsavedWork().map(({ text }) => text)).toEqual(['Name and note of ‘Unnamed rectangle’'])
    await drawing.clickAt(placeAt(-200, -200))
    expect(form()).toBeNull()
    await hasSaved([{ note: 'Ask the neighbours', version: 2 }])
    const cancel = () => drawing.press('Cancel')
    const pressEscape = async () => void fireEvent.keyDown(field('Note'), { key: 'Escape' })
    for (const close of [cancel, pressEscape]) {
      await select()
      fill('Note', 'Nobody')
      await close()
      expect(form()).toBeNull()
    }
    await select()
    expect(field('Note').value).toBe('Ask the neighbours')
    fill('Note', 'Nobody')
    act(discardUnsavedWork)
    expect(field('Note').value).toBe('Ask the neighbours')
    fill('Name', 'Pond')
    window.dispatchEvent(new Event('pagehide'))
    window.dispatchEvent(new Event('pageshow'))
    await hasSaved([{ name: 'Pond', version: 3 }])
  })

  it('opens from the list and returns the focus to its section', async () => {
    await startWithSquare()
    await drawing.press('1 drawing')
    const [item] = within(drawing.panel).getAllByRole('listitem')
    await act(async () =>
      within(item as HTMLElement)
        .getByRole('button')
        .click(),
    )
    expect(document.activeElement).toBe(field('Name'))
    fill('Name', 'Pond')
    submit()
    await hasSaved([{ name: 'Pond' }])
    await waitFor(() => expect(document.activeElement).toBe(drawing.panel))
  })

  it('shows changes of other users until it is edited', async () => {
    await startWithSquare()
    await select()
    await asGrace({ name: 'Grace’s', note: 'Hers' })
    await hear()
    await waitFor(() => expect(field('Name').value).toBe('Grace’s'))
    fill('Name', 'Rosa’s')
    await asGrace({ name: 'Still Grace’s', note: 'Hers as well' })
    await hear()
    expect([field('Name').value, field('Note').value]).toEqual(['Rosa’s', 'Hers'])
    fill('Name', 'Rosa’s own')
    submit()
    await hasNotice('Their version has the name ‘Still Grace’s’ and the note ‘Hers as well’')
    await drawing.press('Take theirs')
    await hasSaved([{ name: 'Still Grace’s', version: 3 }])
  })
})

describe('conflicts', () => {
  it.each(['Keep mine', 'Take theirs'])('show both versions and save the chosen one: %s', async (choice) => {
    await startWithSquare()
    const [before] = await drawing.saved()
    await reshape()
    await asGrace({ name: 'Grace’s' })
    await hear()
    await drawing.press('Save')
    await hasNotice(
      'was changed by Grace Whitfield while you were editing it. Their version has the name ‘Grace’s’ and no note. Its shape is dashed.',
    )
    expect(drawing.map.featuresOf('other-shapes')).toHaveLength(1)
    await hasSaved([{ name: 'Grace’s', version: 2 }])
    await drawing.press(choice)
    await waitFor(() => expect(drawing.notices).toBe(''))
    await hasSaved([choice === 'Keep mine' ? { name: '', version: 3 } : { name: 'Grace’s', version: 2 }])
    const [after] = await drawing.saved()
    expect(after?.geometry === before?.geometry).toBe(choice === 'Take theirs')
    expect(drawing.map.featuresOf('other-shapes')).toEqual([])
  })

  it('are found by an edit after a failed save', async () => {
    await startWithSquare()
    page.answer(changed, 500)
    await reshape()
    await drawing.press('Save')
    await hasNotice('not saved yet')
    page.answerAgain()
    await asGrace({ name: 'Grace’s' })
    await hear()
    await select()
    fill('Name', 'Rosa’s')
    submit()
    await hasNotice('was changed by Grace Whitfield')
    await hasSaved([{ name: 'Grace’s', version: 2 }])
  })

  it('are found by an edit that began during the first save', async () => {
    await open()
    const released = Promise.withResolvers<void>()
    page.answer(created, (ask) => released.promise.then(ask))
    await drawSquare()
    await reshape()
    released.resolve()
    const stored = () => sessionStorage.getItem(`poa.unsaved-shapes.${drawing.mapId}.rosa`)
    await waitFor(() => expect(stored()).toBeNull())
    await asGrace({ name: 'Grace’s' })
    await hear()
    await drawing.press('Save')
    await hasNotice('was changed by Grace Whitfield')
    await hasSaved([{ name: 'Grace’s', version: 2 }])
  })

  it('keep a shape that another user deleted', async () => {
    await startWithSquare()
    await reshape()
    await asGrace(null)
    await drawing.press('Save')
    await hasNotice(
      'was deleted by someone else while you were editing it. Your version is still on this map.',
    )
    expect(drawing.shapes).toHaveLength(1)
    await drawing.press('Keep mine')
    await hasSaved([{ version: 1 }])
  })

  it('ask before deleting a drawing that another user changed', async () => {
    await startWithSquare()
    await markSquare()
    await asGrace({ name: 'Keep this' })
    await drawing.press('Save')
    await hasNotice(
      ' was changed by Grace Whitfield while you were deleting it. Their version has the name ‘Keep this’',
    )
    expect(drawing.shapes).toHaveLength(1)
    await drawing.press('Keep theirs')
    await waitFor(() => expect(drawing.notices).toBe(''))
    await hasSaved([{ version: 2 }])
    await markSquare()
    await asGrace({ name: 'Keep it still' })
    await drawing.press('Save')
    await hasNotice('Keep it still')
    await drawing.press('Delete anyway')
    await hasSaved([])
  })
})

describe('unsaved changes', () => {
  const unsaved = '1 change not saved yet. The server cannot be reached. Your work stays in this tab.'

  it('stay in the tab while offline, until Try again', async () => {
    await open()
    page.answer(created, () => Promise.reject(new TypeError('Failed to fetch')))
    await drawSquare()
    await hasNotice(unsaved)
    await drawing.press('Try again')
    await hasNotice(unsaved)
    expect(unsavedWork()).toEqual([{ text: '1 drawing change', isStored: true }])
    expect(sessionStorage.getItem(`poa.unsaved-shapes.${drawing.mapId}.rosa`)).toContain('"kind":"failed"')
    page.answerAgain()
    await drawing.press('Try again')
    await hasSaved([{ version: 1 }])
    await drawing.isSaved()
    expect(sessionStorage.getItem(`poa.unsaved-shapes.${drawing.mapId}.rosa`)).toBeNull()
  })

  it('are saved automatically after reconnecting', async () => {
    await open()
    await page.setOffline(true)
    await drawSquare()
    await hasNotice(unsaved)
    await page.setOffline(false)
    await hasSaved([{ version: 1 }])
    await drawing.isSaved()
  })

  it('are not duplicated when the answer to a creation was lost', async () => {
    await open()
    page.answer(created, loseAnswer)
    await drawSquare()
    await hasNotice('not saved yet')
    page.answerAgain()
    await reshape()
    await drawing.press('Save')
    await hasSaved([{ version: 2 }])
    await drawing.isSaved()
    expect(count().textContent).toBe('1 drawing')
  })

  it('are no conflict with themselves when the answer to a change was lost', async () => {
    await startWithSquare()
    page.answer(changed, loseAnswer)
    await reshape()
    await drawing.press('Save')
    await hasNotice('not saved yet')
    page.answerAgain()
    await drawing.press('Try again')
    await drawing.isSaved()
    await hasSaved([{ version: 2 }])
  })

  it('show a change of another user whose answer to the creation was lost', async () => {
    await open()
    page.answer(created, loseAnswer)
    await drawSquare()
    await hasNotice('not saved yet')
    page.answerAgain()
    await asGrace({ name: 'Theirs' })
    await reshape()
    await drawing.press('Save')
    await hasNotice('Their version has the name ‘Theirs’')
    await hasSaved([{ version: 2 }])
  })

  it('keep a shape on the map when its deletion fails', async () => {
    await startWithSquare()
    page.answer(changed, 500)
    await markSquare()
    await drawing.press('Save')
    await hasNotice('1 change not saved yet. Answer 500.')
    expect(drawing.shapes).toHaveLength(1)
    page.answerAgain()
    await drawing.press('Try again')
    await hasSaved([])
    await waitFor(() => expect(count().textContent).toBe('No drawings yet'))
  })

  it.each(['changed', 'deleted'])(
    'are saved in order when a shape is %s during its first save',
    async (what) => {
      await open()
      const released = Promise.withResolvers<void>()
      page.answer(created, (ask) => released.promise.then(ask))
      await drawSquare()
      await drawSquare(-200)
      if (what === 'changed') await reshape()
      else await markSquare()
      released.resolve()
      await hasSaved([{ version: 1 }, { version: 1 }])
      await drawing.press('Save')
      const versions = async () => (await drawing.saved()).map(({ version }) => version).toSorted()
      await waitFor(async () => expect(await versions()).toEqual(what === 'changed' ? [1, 2] : [1]))
      await drawing.isSaved()
      expect(count().textContent).toBe(what === 'changed' ? '2 drawings' : '1 drawing')
    },
  )

  it('of a file are saved without the refused one', async () => {
    await open()
    const geometry = { type: 'Point', coordinates: [-112.4, 35.2] }
    const row = { map_id: drawing.mapId, kind: 'marker', geometry: JSON.stringify(geometry), vertex_count: 1 }
    const people = {
      author_id: 'ada',
      author: 'Ada Byron',
      updated_by: 'Ada Byron',
      created_at: 1,
      updated_at: 1,
    }
    // One less than the limit of 5,000 drawings per map.
    const rows = Array.from({ length: 4_999 }, (_value, index) => ({
      ...{ ...row, ...people, id: `${drawing.mapId}-${index}`, name: '', note: '', version: 1 },
    }))
    await page.server.database.write(async (transaction) => {
      for (let start = 0; start < rows.length; start += 500)
        await transaction
          .insertInto('drawings')
          .values(rows.slice(start, start + 500))
          .execute()
    })
    const features = ['Pond', 'Barn'].map((name) => ({ type: 'Feature', properties: { name }, geometry }))
    await drawing.chooseFiles({ 'two.geojson': JSON.stringify({ type: 'FeatureCollection', features }) })
    await hasNotice('a map can have at most 5,000 drawings. Delete some first')
    expect(drawing.notices).toContain('1 change not saved yet.')
    expect((await drawing.saved()).filter(({ name }) => name !== '')).toMatchObject([{ name: 'Pond' }])
    await act(async () => discardUnsavedWork())
  })

  it('keep a shape in progress when the session expires', async () => {
    await open()
    await drawing.choose('Draw: Rectangle')
    await drawing.clickAt(placeAt(0, 0))
    await page.endSessions()
    await act(() => page.client.refetchQueries({ queryKey: sessionQuery.queryKey }))
    expect(drawing.status).toBe('Click to place the opposite corner')
    await drawing.clickAt(placeAt(100, 100))
    await hasNotice('1 change not saved yet. You are not signed in')
    expect(drawing.shapes).toHaveLength(1)
    await page.signIn('administrator', rosa)
    await drawing.press('Try again')
    await hasSaved([{ version: 1 }])
  })
})

it('shows why drawings could not be loaded, and retries', async () => {
  await page.signIn('administrator', rosa)
  page.answer(/\/drawings\?/, 403)
  await drawing.open()
  await hasNotice('Could not load drawings. Answer 403.')
  page.answerAgain()
  await drawing.press('Try again')
  await waitFor(() => expect(count().textContent).toBe('No drawings yet'))
  expect(drawing.notices).toBe('')
})
