import { parcel, squareAt } from '#test/databases/test-map.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { photoNamed } from './files.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import type { ServedProject } from './served-project.ts'

test.use({ serviceWorkers: 'allow', toleratesNetworkFailures: true })

const lot = parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 400) })

/** After one visit of the map. */
async function reportWithoutConnection(page: Page, server: ServedProject, mapId: string) {
  await page.goto(`/map/${mapId}`)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.context().setOffline(true)
  await server.stop()
  await page.reload()
  await page.getByRole('button', { name: 'Report a problem' }).click()
  const form = page.getByRole('region', { name: 'Details' })
  await form.getByLabel('Photos of the problem').setInputFiles(photoNamed('tree.jpg', await aPhoto()))
  await form.getByRole('button', { name: 'Fallen tree' }).click()
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(form.getByRole('status').last()).toContainText('Stored on this device')
  return form
}

async function rowsOf({ database: { read } }: ServedProject, mapId: string) {
  const reports = read.selectFrom('reports').select(['number', 'type']).where('map_id', '=', mapId)
  const photos = read.selectFrom('files').select('kind').where('map_id', '=', mapId)
  return { reports: await reports.execute(), photos: await photos.execute() }
}

const arrivedOnce = { reports: [{ number: 1, type: 'fallen_tree' }], photos: [{ kind: 'photo' }] }

test('a visited map opens and takes reports without a server, and each arrives once', async ({
  context,
  given,
  page,
  server,
}) => {
  const mapId = await given([lot])
  const form = await reportWithoutConnection(page, server, mapId)
  expect(await rowsOf(server, mapId)).toEqual({ reports: [], photos: [] })
  await server.start()
  await context.setOffline(false)
  await expect(form.getByRole('status').last()).toHaveText(/R-1 was sent\.$/)
  expect(await rowsOf(server, mapId)).toEqual(arrivedOnce)
})

test('the service worker sends a report after its page was closed', async ({
  context,
  given,
  page,
  server,
}) => {
  const mapId = await given([lot])
  await reportWithoutConnection(page, server, mapId)
  const other = await context.newPage()
  await page.close()
  const devTools = await context.newCDPSession(other)
  const registered = new Promise<string>((resolve) =>
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations.filter(({ scopeURL }) => scopeURL.startsWith(server.url))
      if (one) resolve(one.registrationId)
    }),
  )
  await devTools.send('ServiceWorker.enable')
  const registrationId = await registered
  await server.start()
  await context.setOffline(false)
  const event = { origin: server.url, registrationId, tag: 'send-reports', lastChance: false }
  await devTools.send('ServiceWorker.dispatchSyncEvent', event)
  await expect.poll(() => rowsOf(server, mapId)).toEqual(arrivedOnce)
})
