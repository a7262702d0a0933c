import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import type { TrialRows } from '#domain/imports/import-trial.schema.ts'
import { openS3Store } from '#server/blob-stores/s3-store.ts'
import { importDraftJob } from '#server/imports/drafts/import-draft-job.ts'
import { runOrder } from '#server/imports/drafts/run-order.ts'
import { runStep, type WorkPlace } from '#server/imports/drafts/step-process.ts'
import { startJobRunner } from '#server/jobs/job-runner.ts'
import { type ImportLimits, usualImportLimits } from '#server/settings/import-limits.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

export const base = '/api/maps/oak-hills'

/** Runs the steps of imports in this process, unless each has a process of its own. */
export function startImportJobs(
  database: TestDatabase,
  store: TestApp['store'],
  {
    place = { location: database.location, fileStore: null, limits: usualImportLimits },
    hasProcesses = false,
  }: { place?: WorkPlace; hasProcesses?: boolean } = {},
) {
  const errors: unknown[] = []
  const opened = { database, store, async [Symbol.asyncDispose]() {} }
  const runHere: typeof runStep = (order, { onProgress }) => runOrder(order, onProgress, async () => opened)
  const jobs = startJobRunner(database, [importDraftJob(place, hasProcesses ? runStep : runHere)], {
    onError: (error) => errors.push(error),
    pollMs: null,
  })
  onTestFinished(() => jobs.close())
  onTestFinished(() => expect(errors).toEqual([]))
  return jobs
}

export async function startImports(
  database: TestDatabase,
  {
    maxSilentMs,
    maxExaminingMs,
    fileStore = null,
    hasProcesses = false,
    ...limits
  }: Partial<ImportLimits> &
    Partial<Pick<WorkPlace, 'maxSilentMs' | 'maxExaminingMs' | 'fileStore'>> & {
      /** Whether each step runs in a process of its own, as on a server. */
      hasProcesses?: boolean
    } = {},
) {
  await storeClient(database, 'oak-hills')
  await storeFeatures(database, [anAsset({ id: 'tank' })])
  const { quotaBytes } = limits
  const app = await startTestApp(database, {
    ...(fileStore ? { store: openS3Store(fileStore) } : {}),
    ...(quotaBytes ? { settings: { IMPORT_QUOTA_MB: String(quotaBytes / 2 ** 20) } } : {}),
  })
  onTestFinished(() => app.close())
  const place = {
    location: database.location,
    fileStore,
    limits: { ...usualImportLimits, ...limits },
    ...(maxSilentMs ? { maxSilentMs } : {}),
    ...(maxExaminingMs ? { maxExaminingMs } : {}),
  }
  const jobs = startImportJobs(database, app.store, { place, hasProcesses })
  const editor = await signIn(database, ['editor:oak-hills'])
  type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  const ask = (method: Method, url: string, body?: object, as = editor) =>
    app.send({
      method,
      url: `${base}/import-drafts${url}`,
      headers: {
        ...as,
        ...(body instanceof Buffer ? { 'content-type': 'application/octet-stream' } : {}),
      },
      ...(body ? { payload: body } : {}),
    })
  const good = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, body?: object) => {
    const answer = await ask(method, url, body)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json<ImportDraft>()
  }
  const announce = async (...files: { name: string; size: number }[]) => {
    const id = randomUUID()
    await good('POST', '', { id, files })
    return id
  }
  const upload = async (name: string, content: string | Buffer) => {
    const bytes = Buffer.from(content)
    const id = await announce({ name, size: bytes.length })
    await good('PUT', `/${id}/files/0?offset=0`, bytes)
    return id
  }
  const done = async (id: string) => {
    await jobs.work()
    return good('GET', `/${id}`)
  }
  const step = async (id: string, name: 'try' | 'import' | 'undo') => {
    await good('POST', `/${id}/${name}`)
    return done(id)
  }
  const change = (id: string, settings: object) => good('PATCH', `/${id}/settings`, settings)
  const prepare = async (name: string, content: string | Buffer, settings?: object) => {
    const id = await upload(name, content)
    await done(id)
    if (settings) await change(id, settings)
    return id
  }
  const trial = (id: string, rest = '') => ({
    method: 'GET' as const,
    url: `${base}/import-drafts/${id}/trial${rest}`,
    headers: editor,
  })
  const trialRows = async (id: string, query = '') => (await app.send(trial(id, query))).json<TrialRows>()
  return { app, ask, good, announce, upload, done, step, change, prepare, trial, trialRows }
}
