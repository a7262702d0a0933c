import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { defaultReportSettings, type ReportSettings } from '#domain/reports/report-settings.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
const { types } = defaultReportSettings
const group = (name: string) => within(screen.getByRole('group', { name }))
const read = async (mapId: string): Promise<{ version: number; settings: ReportSettings }> =>
  page.send('GET', `/api/maps/${mapId}/report-settings`)
const put = (mapId: string, change: Partial<ReportSettings>, version = 0) =>
  page.send('PUT', `/api/maps/${mapId}/report-settings`, { ...defaultReportSettings, ...change }, version)
const save = () => page.press('button', 'Save')
const status = (text: string | RegExp) => screen.findByText(text)

async function open() {
  await page.signIn()
  const mapId = await page.given([])
  await page.open(`/config/map/${mapId}/report-settings`)
  await screen.findByRole('group', { name: 'Publication' })
  return mapId
}
async function fill(name: string, label: RegExp, text: string) {
  const field = group(name).getByRole(label.source === '^Due' ? 'spinbutton' : 'textbox', {
    name: label,
  })
  await page.user.clear(field)
  if (text !== '') await page.user.type(field, text)
}

describe('the report settings', () => {
  it('are changed by managers', async () => {
    const mapId = await open()
    await page.user.click(screen.getByRole('radio', { name: 'Immediately' }))
    await fill('Flood', /Name in the form/, ' High water ')
    await fill('Flood', /^Due/, '2')
    await page.user.click(group('Other').getByRole('checkbox', { name: 'Offer in the form' }))
    await page.user.click(screen.getByRole('button', { name: 'Remove template 1' }))
    await page.press('button', 'Add template')
    await waitFor(() =>
      expect(document.activeElement).toBe(group('Template 7').getByRole('textbox', { name: 'Text' })),
    )
    await page.user.keyboard('See you soon')
    await status('Unsaved: Publication, Flood, Other, Response templates')
    await save()
    await status('No unsaved changes')
    const { settings } = await read(mapId)
    expect(settings).toMatchObject({
      publication: 'immediate',
      types: { flood: { label: 'High water', dueDays: 2 }, other: { isOffered: false } },
    })
    expect(settings.templates.at(-1)).toMatchObject({ state: 'accepted', type: null, text: 'See you soon' })
    expect(settings.templates.map(({ id }) => id)).not.toContain('accepted')
  })

  it('have addresses of staff and the board, one per line, and the quiet hours', async () => {
    const mapId = await open()
    await fill('Flood', /Email staff/, 'crew@example.org{Enter} desk@example.org {Enter}')
    await fill('Emails', /board/, 'board')
    await page.user.selectOptions(group('Emails').getByRole('combobox', { name: 'Quiet hours from' }), '')
    await save()
    await status('Must be email addresses: ‘board’ is none')
    await fill('Emails', /board/, 'board@example.org')
    await save()
    await status('No unsaved changes')
    expect((await read(mapId)).settings).toMatchObject({
      types: { flood: { staffEmails: ['crew@example.org', 'desk@example.org'] }, fire: { staffEmails: [] } },
      emails: { board: ['board@example.org'], quietFrom: null },
    })
  })

  it('explain that no address can be confirmed without a mail server', async () => {
    await open()
    const confirmed = screen.getByRole<HTMLInputElement>('radio', { name: /confirms their email/ })
    expect(confirmed.disabled).toBe(true)
    await status(/no mail server \(SMTP_URL\). Such reports wait for review/)
  })

  it('are not saved with an error, which is named and focused', async () => {
    const mapId = await open()
    await fill('Fire', /^Notice/, '')
    await save()
    await status('Is required if reporters must confirm it')
    await waitFor(() =>
      expect(document.activeElement).toBe(group('Fire').getByRole('textbox', { name: /^Notice/ })),
    )
    expect((await read(mapId)).version).toBe(0)
  })

  it('keep the changes of two managers, and ask where both changed the same', async () => {
    const mapId = await open()
    await fill('Flood', /^Due/, '2')
    await fill('Fire', /^Due/, '3')
    await put(mapId, {
      publication: 'immediate',
      types: { ...types, fire: { ...types.fire, dueDays: 5 } },
    })
    await save()
    await status(/Someone else changed the settings/)
    const conflict = await screen.findByRole('group', { name: 'Fire: mine or theirs?' })
    expect(conflict.textContent).toContain('due in 5 days')
    await page.user.click(within(conflict).getByRole('button', { name: 'Take theirs' }))
    await save()
    await status('No unsaved changes')
    expect((await read(mapId)).settings).toMatchObject({
      publication: 'immediate',
      types: { fire: { dueDays: 5 }, flood: { dueDays: 2 } },
    })
  })

  it('are reached from the reports, kept unsaved there, and asked about before their map is left', async () => {
    await page.signIn()
    const mapId = await page.given([])
    await page.open(`/config/map/${mapId}/reports`)
    await page.press('link', 'Report settings')
    await screen.findByRole('group', { name: 'Flood' })
    await fill('Flood', /^Due/, '2')
    await page.user.click(
      within(screen.getByRole('region', { name: 'Report settings' })).getByRole('link', { name: 'Reports' }),
    )
    await status(/report settings not saved yet/)
    await page.press('link', 'Map Selection')
    await page.answerDialog('Unsaved report settings', 'Leave without saving')
    await screen.findByRole('heading', { name: 'Client Selection', level: 1 })
  })

  it('are read by editors', async () => {
    await page.signIn()
    const mapId = await page.given([])
    await page.signIn([`editor:${mapId}`])
    await page.open(`/config/map/${mapId}/report-settings`)
    await status('Only managers of this client can change these settings.')
    const field = group('Flood').getByRole('spinbutton', { name: /^Due/ })
    expect(field.closest('fieldset')?.disabled).toBe(true)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    await page.open(`/config/map/${mapId}/reports`)
    await screen.findByText('No reports are waiting for review.')
    expect(screen.queryByRole('link', { name: 'Report settings' })).toBeNull()
  })
})

it('sends a test email to a manager, and says the result in words', async () => {
  const sent: unknown[] = []
  page.answer(/\/report-settings$/, async (ask) =>
    Response.json({ ...(await (await ask()).json()), sendsMail: true }),
  )
  page.answer(/\/test-email$/, (_ask, _method, body) => {
    sent.push(JSON.parse(String(body)))
    const records = { spf: 'found', dkim: 'unchecked', dmarc: 'unknown' }
    return Response.json({ problem: null, domain: 'example.org', ...records })
  })
  await open()
  const address = screen.getByRole('textbox', { name: 'Send a test email to' })
  await page.user.type(address, 'maya@example.org{Enter}')
  expect(sent).toEqual([])
  await page.press('button', 'Send a test email')
  const result = await screen.findByRole('status', { name: 'Result of the test' })
  expect(result.textContent).toBe(
    'The mail server accepted the email. Check that it arrives, and not as spam.' +
      'SPF record of example.org: found.' +
      'DKIM record of example.org: cannot be checked, because the server has no MAIL_DKIM_SELECTOR.' +
      'DMARC record of example.org: could not be looked up. Try again later.',
  )
  expect(sent).toEqual([{ email: 'maya@example.org' }])
})
