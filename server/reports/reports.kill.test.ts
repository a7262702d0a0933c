import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { timeLimit, times } from '#test/random/how-much.ts'
import { type ReceivedMail, startMailServer } from '#test/server/mail-server.ts'
import { endLeases, type ServerProcess, settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'

const kills = times(2)
const sentBeforeKill = 8
const senders = 3

const mapId = 'oak-hills'
const publicUrl = 'http://localhost:3000'

onEachEngine('a server that is killed while reports and emails are processed', (createDatabase) => {
  it(
    `loses no report and repeats no message, ${kills} times`,
    async () => {
      const database = await createDatabase()
      await storeClient(database, mapId)
      const mail = await startMailServer()
      const staff = await signIn(database, [`editor:${mapId}`], { settings: { PUBLIC_URL: publicUrl } })
      const sent = new Map<string, object>()
      const acknowledged = { reports: new Set<string>(), decisions: new Set<string>() }
      const start = async () => {
        await makeDue(database)
        return startServer({
          ...settingsOf(database.location),
          PUBLIC_URL: publicUrl,
          SMTP_URL: mail.url,
          MAIL_FROM: 'land@example.org',
          REPORT_LIMITS: 'measure',
          REPORT_PROOF_OF_WORK: 'off',
        })
      }
      try {
        for (let kill = 0; kill < kills; kill++) {
          await using server = await start()
          const before = { reports: acknowledged.reports.size, mails: mail.received.length }
          const isEnough = () =>
            acknowledged.reports.size - before.reports >= sentBeforeKill &&
            (kill === 0 || mail.received.length > before.mails)
          await reportUntilKilled(server, { staff, sent, acknowledged, isEnough })
        }
        await using server = await start()
        for (const report of sent.values()) await send(server, 'POST', `/maps/${mapId}/reports`, report)
        await makeDue(database)
        const recipients = () => new Set(mail.received.flatMap((one) => one.recipients))
        await expect.poll(() => recipients().size, { timeout: timeLimit(60_000) }).toBe(sent.size)
        await expectNothingLost(database, sent, acknowledged)
        expectEachMessageOnce(mail.received)
      } finally {
        await mail.close()
      }
    },
    60_000 * (kills + 1),
  )
})

type Acknowledged = { reports: Set<string>; decisions: Set<string> }
type Reporting = {
  staff: Record<string, string>
  sent: Map<string, object>
  acknowledged: Acknowledged
  isEnough(): boolean
}

async function reportUntilKilled(server: ServerProcess, { staff, sent, acknowledged, isEnough }: Reporting) {
  let isKilled = false
  async function untilKilled(act: () => Promise<void>) {
    while (!isKilled)
      try {
        await act()
        if (isKilled || !isEnough()) continue
        isKilled = true
        server.kill('SIGKILL')
      } catch (error) {
        if (!isKilled) throw error
      }
  }
  async function report() {
    const id = randomUUID()
    const [lng, lat] = [-111 + sent.size / 1_000, 34]
    const email = `neighbor-${sent.size}@example.org`
    const body = { id, key: 'ab'.repeat(16), type: 'flood', place: { lat, lng }, description: 'Water', email }
    sent.set(id, body)
    await send(server, 'POST', `/maps/${mapId}/reports`, body)
    acknowledged.reports.add(id)
  }
  async function decide() {
    const undecided = [...acknowledged.reports].find((id) => !acknowledged.decisions.has(id))
    if (undecided === undefined) return report()
    const decision = { state: 'accepted' }
    const headers = { ...staff, 'if-match': '*' }
    await send(server, 'PUT', `/maps/${mapId}/reports/${undecided}/decision`, decision, headers)
    acknowledged.decisions.add(undecided)
  }
  await Promise.all([...Array.from({ length: senders }, () => untilKilled(report)), untilKilled(decide)])
  await server.exited
}

async function send(
  { url }: ServerProcess,
  method: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
}

/** Emails wait some seconds after a change. */
async function makeDue(database: TestDatabase) {
  await endLeases(database)
  await database.write((transaction) => transaction.updateTable('jobs').set({ run_at: 0 }).execute())
}

async function expectNothingLost(
  { read }: TestDatabase,
  sent: ReadonlyMap<string, object>,
  acknowledged: Acknowledged,
) {
  const reports = await read
    .selectFrom('reports')
    .select(['id', 'number', 'state'])
    .orderBy('number')
    .execute()
  expect(new Set(reports.map(({ id }) => id))).toEqual(new Set(sent.keys()))
  expect(reports.map(({ number }) => Number(number))).toEqual(reports.map((_, index) => index + 1))
  const accepted = new Set(reports.flatMap(({ id, state }) => (state === 'accepted' ? [id] : [])))
  const incidents = await read.selectFrom('features').select('id').where('kind', '=', 'incident').execute()
  expect(new Set(incidents.map(({ id }) => id))).toEqual(accepted)
  for (const id of acknowledged.decisions) expect(accepted).toContain(id)
}

/** A message that was sent before the kill may arrive again, with the same Message-Id. */
function expectEachMessageOnce(received: readonly ReceivedMail[]) {
  const byContent = Map.groupBy(received, ({ recipients, headers }) =>
    [...recipients, headers.get('subject')].join(' '),
  )
  for (const [content, mails] of byContent)
    expect(new Set(mails.map(({ headers }) => headers.get('message-id'))), content).toHaveLength(1)
}
