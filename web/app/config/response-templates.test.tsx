import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { defaultReportSettings } from '#domain/reports/report-settings.ts'
import { incident } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { aReport } from '#test/server/reports.ts'

const page = preparePage()
const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)

async function report(mapId: string, values: object = {}): Promise<string> {
  const body = aReport(values)
  await page.send('POST', `/api/maps/${mapId}/reports`, body)
  return body.id
}

describe('response templates', () => {
  it('are inserted into the note of a decision, and edited there', async () => {
    await page.signIn()
    const mapId = await page.given([])
    await report(mapId)
    await page.open(`/config/map/${mapId}/reports`)
    const note = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /Note to the reporter/ })
    await page.user.type(note, 'Hello.')
    await page.press('button', 'Insert response')
    expect(items()).toEqual([
      'Thank you. We will take care of this.',
      'Thank you. The association is not responsible for this.',
      'Thank you. This was reported before, and we are taking care of it.',
    ])
    // Single keys decide about reports, but not in a menu.
    screen.getAllByRole('menuitem')[0]?.focus()
    await page.user.keyboard('r')
    await page.press('menuitem', /not responsible/)
    expect(note.value).toBe('Hello.\nThank you. The association is not responsible for this.')
    expect(document.activeElement).toBe(note)
    await page.user.keyboard(' Sorry.')
    await page.press('button', /^Reject/)
    await page.alert('R-1 rejected')
    const { items: rejected } = await page.send('GET', `/api/maps/${mapId}/reports?state=rejected`)
    expect(rejected[0].publicNote).toMatch(/^Hello\.\n.*this\. Sorry\.$/)
  })

  it('are offered for the progress of an incident and its type', async () => {
    await page.signIn()
    const mapId = await page.given([incident({ id: 'i1', title: 'Oak', type: 'fallen_tree' })])
    await page.open(`/config/map/${mapId}/features?kind=incident&select=i1`)
    await page.press('button', 'Update')
    const form = within(await screen.findByRole('form', { name: 'Update work' }))
    await page.choose('Progress', 'Assigned')
    await page.press('button', 'Insert response')
    expect(items()).toEqual(['We asked a crew to remove the tree.'])
    await page.press('menuitem', /crew/)
    const note = form.getByRole<HTMLTextAreaElement>('textbox', { name: /Note for everyone/ })
    expect(note.value).toBe('We asked a crew to remove the tree.')
    expect(document.activeElement).toBe(note)
    await page.choose('Progress', 'Reopened')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Insert response' })).toBeNull())
  })
})

describe('the link to confirm an address', () => {
  it('changes nothing until its button is pressed', async () => {
    await page.signIn()
    const mapId = await page.given([])
    const settings = { ...defaultReportSettings, publication: 'confirmed' }
    await page.send('PUT', `/api/maps/${mapId}/report-settings`, settings, 0)
    const id = await report(mapId, { email: 'ann@example.org' })
    const secret = 'cd'.repeat(32)
    await page.server.database.write((transaction) =>
      transaction
        .updateTable('reports')
        .set({ publication: 'confirmed', email_secret: secret })
        .where('map_id', '=', mapId)
        .execute(),
    )
    const path = `/report/${mapId}/${id}/confirm`
    await page.open(`${path}#${'ef'.repeat(32)}`)
    await page.press('button', 'Confirm address')
    await page.alert('There is no report at this link.')

    await page.open(`${path}#${secret}`)
    await screen.findByRole('button', { name: 'Confirm address' })
    expect(page.requests.filter((request) => request.includes('/confirm'))).toHaveLength(1)
    expect((await page.send('GET', `/api/maps/${mapId}/reports`)).items).toHaveLength(1)
    await page.press('button', 'Confirm address')
    await screen.findByText('Thank you. Your email address is confirmed.')
    await screen.findByRole('link', { name: 'Show it on the map' })
    expect((await page.saved(mapId, id)).type).toBe('flood')
  })
})
