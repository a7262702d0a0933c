import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { asset, parcel, placeAt } from '#test/databases/test-map.ts'
import { startImportJobs } from '#test/imports/import-drafts.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
beforeEach(() => {
  const jobs = startImportJobs(page.server.database, page.server.store)
  page.answer(/\/import-drafts/, async (ask) => {
    await jobs.work()
    return ask()
  })
})

const near = placeAt(30, 20)
const row = (id: number, name: string, latitude: number | string) => `${id},${name},${latitude},${near.lng}`
const tableOf = (...rows: string[]) => `No,Label,Lat,Lon\n${rows.join('\n')}\n`
const panel = () => screen.getByRole('region', { name: 'Import' })
const says = (text: string | RegExp) =>
  waitFor(() => expect(panel().textContent).toEqual(expect.stringMatching(text)))
const isAtStep = (name: string) =>
  waitFor(() => expect(panel().querySelector('[aria-current=step]')?.textContent).toBe(name))

async function open(...features: Parameters<typeof page.given>[0]) {
  await page.signIn()
  const mapId = await page.given(features)
  await page.open(`/config/map/${mapId}/import`)
  return mapId
}

/** Uploads files, given as pairs of name and content. */
async function upload(...files: [name: string, content: string][]) {
  const input = await screen.findByLabelText('Files to import')
  await page.user.upload(
    input,
    files.map(([name, content]) => new File([content], name)),
  )
}

async function choose(label: string, option: string | RegExp) {
  const select = await screen.findByLabelText(label)
  await page.user.selectOptions(select, await within(select).findByRole('option', { name: option }))
}
const become = (column: string, field: string) => choose(`Field for ${column}`, field)

async function press(name: string | RegExp) {
  const button = await within(panel()).findByRole('button', { name })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await page.user.click(button)
}

async function hasCounts(counts: Record<string, number>) {
  await waitFor(() => {
    const shown = [...panel().querySelectorAll('dl > div')].map((count) => [
      count.querySelector('dt')?.textContent,
      Number(count.querySelector('dd')?.textContent),
    ])
    expect(Object.fromEntries(shown)).toMatchObject(counts)
  })
}

async function importRows(words: string) {
  await press(words)
  await within(panel()).findByRole('button', { name: 'Undo' })
}

const trialRow = (number: number) =>
  waitFor(() => {
    const cells = [...within(panel()).getByRole('table', { name: 'Preview rows' }).querySelectorAll('td')]
    const found = cells.find((cell) => cell.matches(':first-child') && cell.textContent === String(number))
    if (!found?.parentElement) throw new Error(`The preview has no row ${number}.`)
    return found.parentElement
  })
const rowSays = (number: number, text: string | RegExp) =>
  waitFor(async () => expect((await trialRow(number)).textContent).toEqual(expect.stringMatching(text)))
const pressInRow = async (number: number, name: string) =>
  page.user.click(within(await trialRow(number)).getByRole('button', { name: new RegExp(`^${name}`) }))

async function prepareHydrants(...rows: string[]) {
  await upload(['hydrants.csv', tableOf(...rows)])
  await choose('Import as', 'Asset')
  await choose('Type for all rows', 'Water')
  await become('Label', 'Name')
  await become('No', 'ID in the file')
  await press('Preview')
  await isAtStep('3. Preview')
}

describe('an import', () => {
  it('fixes and skips rows, and keeps local edits in the next edition', async () => {
    const mapId = await open()
    await prepareHydrants(
      row(1, 'North gate', near.lat),
      row(2, 'Pond', near.lat + 0.001),
      row(3, 'Nowhere', 'here'),
      '4,Cut off',
    )
    await hasCounts({ New: 2, Skipped: 2 })
    await rowSays(3, 'Latitude "here" is not a number')
    await pressInRow(3, 'Fix')
    const form = within(await within(panel()).findByRole('form', { name: 'Row 3' }))
    await page.fill(form.getByLabelText('Lat'), String(near.lat + 0.002))
    await page.user.click(form.getByRole('button', { name: 'Done' }))
    await rowSays(3, `Fixed: Lat ${near.lat + 0.002}`)
    await pressInRow(1, 'Exclude [A-Z]')
    await press('Update preview')
    await hasCounts({ New: 2, Excluded: 1, Skipped: 1 })
    await importRows('Import 2 rows')
    const reported = await screen.findByRole('table', { name: 'Skipped and repaired rows' })
    expect(reported.textContent).toMatch(/^RowRecordResult4Cut offSkipped: /)

    const { items } = await page.send('GET', `/api/maps/${mapId}/features`)
    const ids = new Map<string, string>(items.map(({ id, name }: { id: string; name: string }) => [name, id]))
    expect([...ids.keys()].toSorted()).toEqual(['Nowhere', 'Pond'])
    const at = (name: string) => `/api/maps/${mapId}/features/${ids.get(name)}`
    await page.send('PATCH', at('Pond'), { name: 'Pond of the mill' }, 1)
    await page.send('DELETE', at('Nowhere'), undefined, 1)

    await press('All imports')
    await prepareHydrants(row(2, 'Pond', near.lat + 0.003), row(3, 'Nowhere', near.lat + 0.002))
    await rowSays(1, /Changed Pond of the mill.*Not overwritten: Name/)
    await hasCounts({ 'Previously removed': 1 })
    await choose('Show', 'Previously removed (1)')
    await rowSays(2, 'Previously removed Nowhere')
    await waitFor(() => expect(panel().textContent).not.toContain('Changed Pond of the mill'))
    await page.press('checkbox', /^Keep edits/)
    await page.press('checkbox', /^Restore removed records/)
    await press('Update preview')
    await hasCounts({ New: 1, Changed: 1 })
    await press('Import 2 rows')
    await page.press('link', 'View features')
    await screen.findByText('Nowhere')
    await screen.findByText('Pond')
  })

  it('is taken off the list after a question, as long as it can be undone', async () => {
    await open()
    await prepareHydrants(row(1, 'North gate', near.lat))
    await importRows('Import 1 row')
    await press('Remove from list')
    const dialog = await screen.findByRole('dialog', { name: 'Remove this import from the list?' })
    await page.user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await press('Undo')
    await within(panel()).findByText(/^Import undone/)
    await press('Remove from list')
    await waitFor(() => expect(page.search()).not.toHaveProperty('import'))
  })

  it('matches words of a column with values', async () => {
    const mapId = await open()
    const rows = ['Hydrant', 'Road', 'Hydrant'].map(
      (kind, index) => `${row(index + 1, `Asset ${index + 1}`, near.lat)},${kind}`,
    )
    await upload(['lots.csv', `No,Label,Lat,Lon,Kind\n${rows.join('\n')}\n`])
    await choose('Import as', 'Asset')
    await become('Label', 'Name')
    await become('Kind', 'Type')
    await says('1 of 2 values of Kind not recognized')
    await choose('Meaning of Hydrant', 'Water')
    await says('All values of Kind recognized')
    await press('Preview')
    await hasCounts({ New: 3 })
    await importRows('Import 3 rows')
    const { items } = await page.send('GET', `/api/maps/${mapId}/features?kind=asset&type=water`)
    expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Asset 1', 'Asset 3'])
  })

  it('asks before it imports suspicious rows, and reports them', async () => {
    await open(parcel({ id: 'p1' }))
    await upload(['far.csv', 'id,name,lat,lon\n1,Pond,35.2,112.4\n'])
    await choose('Import as', 'Asset')
    await choose('Type for all rows', 'Water')
    await press('Preview')
    await press('Import 1 row')
    const warning = 'Import with warnings?'
    expect((await screen.findByRole('dialog', { name: warning })).textContent).toContain(
      'miles from the features on the map',
    )
    await page.answerDialog(warning, 'Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await isAtStep('3. Preview')
    await press('Import 1 row')
    await page.answerDialog(warning, 'Import anyway')
    await isAtStep('4. Import')
    const doubts = await screen.findByRole('region', { name: 'Warnings' })
    expect(doubts.textContent).toContain('miles from the features on the map')
  })

  it('takes a chosen layer of several', async () => {
    await open()
    const content = tableOf(row(1, 'North gate', near.lat))
    await upload(['trees.csv', content], ['benches.csv', `${content}${row(2, 'Pond', near.lat)}\n`])
    await choose('Import as', 'Asset')
    await waitFor(() => expect(page.client.isMutating()).toBe(0))
    expect(within(panel()).getByRole('button', { name: 'Preview' })).toHaveProperty('disabled', true)
    await choose('Layer', 'benches.csv')
    await waitFor(() => expect(screen.getByLabelText('Source')).toHaveProperty('value', 'trees benches.csv'))
    await choose('Import as', 'Asset')
    await choose('Type for all rows', 'Road')
    await press('Preview')
    await hasCounts({ New: 2 })
  })

  it('is no part of an address that was cut off', async () => {
    const mapId = await open()
    await page.open(`/config/map/${mapId}/import?import=3f2a`)
    await screen.findByText(/^Drop files here/)
    expect(page.search()).toEqual({})
  })

  it('of an edited export needs no coordinates', async () => {
    const mapId = await open(asset({ id: 'a1', name: 'Old well' }))
    const rows = [`a1,asset,${mapId},New well,none`, `a2,asset,${mapId},Shed,it says no place`]
    await upload(['assets.csv', ['id,kind,mapId,name,problem', ...rows].join('\n')])
    await choose('Import as', 'Asset')
    await says('Rows without coordinates do not move')
    await says(/Identifies the record.*Do not import \(automatic\).*is not imported unless you choose/)
    await press('Preview')
    await hasCounts({ Changed: 1 })
    await rowSays(2, 'It has no location, and the map has no feature a2 with a location')
    await press('Back')
    await isAtStep('2. Match columns')
    await press('3. Preview')
    await isAtStep('3. Preview')
    await press('2. Match columns')
    await press('Preview')
    await isAtStep('3. Preview')
    await press('Import 1 row')
    await says('Import complete: 1 record changed.')
    await page.press('link', 'View features')
    await screen.findByText('New well')
    await screen.findByText('1 feature')
  })
})

describe('files', () => {
  it('that cannot be read are refused with the reason, and discarded', async () => {
    await page.signIn()
    await page.open(`/config/map/${await page.given([])}/map`)
    await page.user.click(
      await within(await screen.findByRole('region', { name: 'Overview' })).findByRole('link', {
        name: 'Import',
      }),
    )
    await upload(['hydrants.csv', ''])
    await page.alert('hydrants.csv is empty.')
    await upload(['plan.csv', '%PDF-1.4 a plan'])
    await page.alert('The file is a PDF')
    await press('Discard')
    await says('Drop files here')
    await waitFor(() => expect(within(panel()).queryByRole('button', { name: /^plan.csv/ })).toBeNull())
  })

  it('can be canceled during the upload', async () => {
    const mapId = await open()
    page.answer(/\/files\//, () => new Promise(() => {}))
    await upload(['hydrants.csv', tableOf(row(1, 'North gate', near.lat))])
    await waitFor(() => expect(page.requests.at(-1)).toMatch(/^PUT .*\/files\//))
    expect(page.asksBeforeClosing()).toBe(true)
    await press('Cancel')
    expect(page.asksBeforeClosing()).toBe(false)
    await says('Drop files here')
    await waitFor(() => expect(page.requests.some((request) => request.startsWith('DELETE'))).toBe(true))
    await waitFor(() => expect(panel().textContent).not.toContain('hydrants.csv'))
    expect((await page.send('GET', `/api/maps/${mapId}/import-drafts`)).items).toEqual([])
  })
})
