import { placeAt } from '../test-map.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import type { ServedProject } from './served-project.ts'

test.use({ toleratesNetworkFailures: true })

const mapId = 'pine-ridge'

async function open(page: Page, otherPage: Page, server: ServedProject) {
  const rosa = new StaffViewer(page, server)
  const grace = new StaffViewer(otherPage, server)
  await rosa.signIn('editor')
  await grace.signIn('administrator')
  await rosa.open(mapId)
  await grace.open(mapId)
  return { rosa, grace }
}

async function start(page: Page, otherPage: Page, server: ServedProject) {
  const { rosa, grace } = await open(page, otherPage, server)
  await rosa.drawRectangle(0, 0)
  await expect(grace.count).toHaveText('1 drawing')
  await rosa.isSaved()
  return { rosa, grace }
}

async function tidyUp(viewer: StaffViewer) {
  await viewer.drawing.button('Delete shapes').click()
  await viewer.drawing.action('Clear all').click()
  await expect.poll(async () => await viewer.saved(mapId)).toEqual([])
}

const reshaped = { name: 'reshaped', ...placeAt(60, 30) }
const untouched = { name: 'untouched', ...placeAt(100, 50) }

test('shows both versions in a drawing conflict and saves the chosen one', { tag: '@painted' }, async ({
  page,
  otherPage,
  server,
}) => {
  const { rosa, grace } = await start(page, otherPage, server)
  await rosa.reshape(0, 0)
  const heard = rosa.hears('Grace’s')
  await grace.select('Rectangle')
  await grace.name('Grace’s')
  await heard
  await rosa.drawing.action('Save').click()
  await expect(rosa.notices).toContainText(
    'was changed meanwhile. Grace Whitfield was quicker. Theirs has the name ‘Grace’s’ and no note; its shape is the dashed one.',
  )
  await rosa.drawing.canvas.showsInkAt([reshaped, untouched]).toEqual(['reshaped', 'untouched'])
  expect((await rosa.saved(mapId))[0]).toMatchObject({ name: 'Grace’s', version: 2 })
  await page.reload()
  await expect(rosa.notices).toContainText('was changed meanwhile')
  await rosa.drawing.canvas.showsInkAt([reshaped, untouched]).toEqual(['reshaped', 'untouched'])

  await rosa.button('Keep mine').click()
  await expect(rosa.notices).toHaveCount(0)
  await expect.poll(async () => (await rosa.saved(mapId))[0]?.version).toBe(3)
  await rosa.drawing.canvas.showsInkAt([reshaped, untouched]).toEqual(['reshaped'])
  await grace.drawing.canvas.showsInkAt([reshaped, untouched]).toEqual(['reshaped'])

  await rosa.select('Rectangle')
  await rosa.form.getByLabel('Name').fill('Rosa’s')
  await grace.select('Rectangle')
  await grace.name('Grace’s')
  await expect.poll(async () => (await rosa.saved(mapId))[0]?.version).toBe(4)
  await rosa.form.getByRole('button', { name: 'Save' }).click()
  await expect(rosa.notices).toContainText('Rosa’s was changed meanwhile.')
  await rosa.button('Take theirs').click()
  await expect(rosa.notices).toHaveCount(0)
  await rosa.select('Grace’s')
  await rosa.form.getByRole('button', { name: 'Cancel' }).click()
  expect((await rosa.saved(mapId))[0]).toMatchObject({ name: 'Grace’s', version: 4 })
  await tidyUp(rosa)
})

test('restores a drawing deleted by another user while it is edited', {
  tag: '@painted',
}, async ({ page, otherPage, server }) => {
  const { rosa, grace } = await start(page, otherPage, server)
  await grace.reshape(0, 0)
  await rosa.drawing.button('Delete shapes').click()
  await rosa.drawing.action('Clear all').click()
  await expect.poll(async () => await rosa.saved(mapId)).toEqual([])
  await grace.drawing.action('Save').click()
  await expect(grace.notices).toContainText('was deleted meanwhile. Yours is still on the map here.')
  await grace.drawing.canvas.showsInkAt([reshaped]).toEqual(['reshaped'])
  await grace.button('Keep mine').click()
  await rosa.drawing.canvas.showsInkAt([reshaped]).toEqual(['reshaped'])
  await grace.isSaved()
  await tidyUp(grace)
})

test('asks before deleting a drawing that another user changed', {
  tag: '@painted',
}, async ({ page, otherPage, server }) => {
  const { rosa, grace } = await start(page, otherPage, server)
  const deleteIt = async () => {
    await rosa.drawing.begin('Delete shapes')
    await rosa.drawing.clickAt(placeAt(50, 50))
    await expect(rosa.drawing.action('Save')).toBeEnabled()
  }
  await deleteIt()
  const heard = rosa.hears('Keep this')
  await grace.select('Rectangle')
  await grace.name('Keep this')
  await heard
  await rosa.drawing.action('Save').click()
  await expect(rosa.notices).toContainText(
    ', which you delete, was changed meanwhile. Grace Whitfield was quicker. Theirs has the name ‘Keep this’',
  )
  await rosa.drawing.canvas.showsInkAt([untouched]).toEqual(['untouched'])
  await rosa.button('Leave it').click()
  await expect(rosa.notices).toHaveCount(0)
  await expect(rosa.count).toHaveText('1 drawing')

  await deleteIt()
  await grace.select('Keep this')
  await grace.name('Keep it still')
  await expect.poll(async () => (await rosa.saved(mapId))[0]?.version).toBe(3)
  await rosa.drawing.action('Save').click()
  await rosa.button('Delete it anyway').click()
  await expect(grace.count).toHaveText('Nothing drawn yet')
  expect(await rosa.saved(mapId)).toEqual([])
})

test('updates a drawing form from other users until it is edited', {
  tag: '@painted',
}, async ({ page, otherPage, server }) => {
  const { rosa, grace } = await start(page, otherPage, server)
  await rosa.select('Rectangle')
  await grace.select('Rectangle')
  await grace.name('Grace’s', 'Hers')
  await expect(rosa.form.getByLabel('Name')).toHaveValue('Grace’s')
  await rosa.form.getByLabel('Name').fill('Rosa’s')
  await grace.select('Grace’s')
  await grace.name('Still Grace’s', 'Hers as well')
  await grace.reshape(0, 0)
  await grace.drawing.action('Save').click()
  await rosa.drawing.canvas.showsInkAt([reshaped, untouched]).toEqual(['reshaped'])
  await expect(rosa.form.getByLabel('Name')).toHaveValue('Rosa’s')
  await expect(rosa.form.getByLabel('Note')).toHaveValue('Hers')
  await rosa.form.getByRole('button', { name: 'Save' }).click()
  await expect(rosa.notices).toContainText('Theirs has the name ‘Still Grace’s’ and the note ‘Hers as well’')
  await rosa.button('Take theirs').click()
  await tidyUp(rosa)
})

test('shows another user’s change to an author who keeps editing the drawing', async ({
  page,
  otherPage,
  server,
}) => {
  const { rosa, grace } = await open(page, otherPage, server)
  const letThrough = await rosa.holdSaving()
  await rosa.drawRectangle(0, 0)
  await rosa.reshape(0, 0)
  letThrough()
  await expect(grace.count).toHaveText('1 drawing')
  const heard = rosa.hears('Grace’s')
  await grace.select('Rectangle')
  await grace.name('Grace’s')
  await heard
  await rosa.drawing.action('Save').click()
  await expect(rosa.notices).toContainText('was changed meanwhile. Grace Whitfield was quicker.')
  await rosa.button('Take theirs').click()
  await expect(rosa.notices).toHaveCount(0)
  await tidyUp(rosa)
})
