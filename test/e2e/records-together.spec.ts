import { openReportEveryMs } from '#domain/features/open-record.ts'
import { isAccessible } from './axe.ts'
import { expect, type Page, test } from './fixtures.ts'
import { Records } from './records.driver.ts'

// The demo editor only has a role on the sample association's map.
const map = 'pine-ridge'

// Advances the clock of the page.
test.use({ sharesPage: false })
test('shows who else views or edits a record', async ({ otherPage, page, server }) => {
  const soon = (whose: Page) => whose.clock.fastForward(openReportEveryMs)
  for (const whose of [page, otherPage]) await whose.clock.install()
  const grace = new Records(page, server)
  const rosa = new Records(otherPage, server)
  await grace.open(map, 'parcel-7')
  await rosa.open(map, 'parcel-7', 'editor')
  await expect(rosa.map.details).toContainText('Grace Whitfield has this open, too')
  await grace.edit.click()
  await expect(grace.form).toBeVisible()
  await soon(otherPage)
  await expect(rosa.map.details).toContainText('Grace Whitfield is editing this')
  await rosa.edit.click()
  await soon(page)
  await expect(rosa.map.details).toContainText('Grace Whitfield is editing this, too')
  await expect(grace.map.details).toContainText('Rosa Delgado is editing this, too')
  await isAccessible(otherPage)
  await otherPage.goto('about:blank')
  await soon(page)
  await expect(grace.map.details).not.toContainText('Rosa Delgado')
})
