import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import type { RunningProcess } from '#test/server/processes.ts'
import { getOnce, reservePort, runServer, settingsOf, startServer } from '#test/server/server-process.ts'

onEachEngine('the server', (_, { engine, createLocation }) => {
  it('creates its tables and the sample data once', async () => {
    const settings = { ...settingsOf(await createLocation()), SAMPLE_DATA: 'on' }
    for (const isFirst of [true, false]) {
      await using server = await startServer(settings)
      expect(server.output().includes('Sample data: added')).toBe(isFirst)
      expect(server.output().includes('Database: created')).toBe(isFirst)
      const { total } = JSON.parse((await getOnce(`${server.url}/api/clients`)).body)
      expect(total).toBe(10)
      expect(await server.stop()).toBe(0)
    }
  }, 60_000)

  it('starts empty with SAMPLE_DATA=off, and stops cleanly on SIGTERM', async () => {
    await using server = await startServer({ ...settingsOf(await createLocation()), SAMPLE_DATA: 'off' })
    expect(JSON.parse((await getOnce(`${server.url}/api/clients`)).body)).toMatchObject({ total: 0 })
    expect(JSON.parse((await getOnce(`${server.url}/api/settings`)).body)).toMatchObject({
      defaultMapId: null,
    })
    await expectOrderlyEnd(server, 'SIGTERM')
  }, 30_000)

  if (engine === 'postgres') return

  it('listens at the configured address, prints it, and stops on SIGINT', async () => {
    const { port, release } = await reservePort()
    await release()
    const settings = {
      ...settingsOf(await createLocation()),
      PORT: String(port),
      HOST: '127.0.0.2',
    }
    await using server = runServer(settings)
    await server.waitFor(new RegExp(`is ready: http://127.0.0.2:${port}`))
    expect((await getOnce(`http://127.0.0.2:${port}/health/live`)).status).toBe(200)
    await expect(getOnce(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow(/ECONNREFUSED/)
    await expectOrderlyEnd(server, 'SIGINT')
  }, 30_000)

  it('stops cleanly on SIGHUP', async () => {
    await using server = await startServer(settingsOf(await createLocation()))
    await expectOrderlyEnd(server, 'SIGHUP')
  }, 30_000)
})

async function expectOrderlyEnd(server: RunningProcess, signal: NodeJS.Signals) {
  server.kill(signal)
  expect(await server.exited).toBe(0)
  expect(server.output()).toContain('Stopping.')
}

describe('the settings', () => {
  it('set the folder of the database', async () => {
    const dataDirectory = join(temporaryFolder(), 'not', 'there', 'yet')
    await using server = await startServer({ DATA_DIR: dataDirectory })
    expect(server.output()).toContain(`SQLite in ${dataDirectory}`)
    expect(existsSync(join(dataDirectory, 'poa.sqlite'))).toBe(true)
  }, 30_000)

  it('prevent the start if they are invalid, with the reason', async () => {
    await using server = runServer({ DATA_DIR: temporaryFolder(), PORT: 'eighty' })
    expect(await server.exited).toBe(1)
    expect(server.output()).toMatch(/^Invalid settings:\n {2}PORT: \S[^\n]*\n$/)
  }, 30_000)
})

describe('the accepted hosts and the identity provider', () => {
  const answered = (names: string) =>
    `Hosts: only requests to ${names} are accepted. Set PUBLIC_URL to the public address.`
  const network = { HOST: '0.0.0.0' }
  const provider = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'land' }
  const isDemo = 'Sign-in: the built-in demo provider. Anyone on this machine can become an administrator.'
  const isOff = 'Sign-in: not set up (docs/configuration.md). Editing is not possible.'
  const because = (why: string) => `Sign-in: the built-in demo provider is off, because ${why}.`
  const isOpen = 'Sign-in: without OIDC_ROLES_CLAIM, every user is an administrator.'

  it.each<[settings: Record<string, string>, lines: string[]]>([
    [{ PUBLIC_URL: 'http://localhost:3000' }, [isDemo]],
    [{ NODE_ENV: 'production' }, [isOff, because('NODE_ENV is production')]],
    [
      { ...network, PUBLIC_URL: 'http://localhost:3000' },
      [isOff, because('HOST=0.0.0.0 can be reached from the network')],
    ],
    [{ ...network, ...provider }, [answered('http://localhost:0'), 'Sign-in: https://login.example', isOpen]],
    [
      { ...network, ALLOWED_HOSTS: 'a.example', ...provider, OIDC_ROLES_CLAIM: 'roles' },
      [answered('http://localhost:0, a.example'), 'Sign-in: https://login.example'],
    ],
  ])(
    'are logged at the start: %j',
    async (settings, lines) => {
      await using server = await startServer({ DATA_DIR: temporaryFolder(), ...settings })
      const printed = server.output().split('\n')
      expect(printed.filter((line) => /^(Hosts|Sign-in): /.test(line))).toEqual(lines)
    },
    30_000,
  )
})

it('reports in one line that its port is in use', async () => {
  const { port, release } = await reservePort()
  onTestFinished(release)
  await using server = runServer({ DATA_DIR: temporaryFolder(), PORT: String(port) })
  expect(await server.exited).toBe(1)
  const errors = server
    .output()
    .split('\n')
    .filter((line) => !line.startsWith('Database: ') && line !== '')
  expect(errors).toEqual([expect.stringMatching(new RegExp(`^Port ${port} on 127.0.0.1 is in use`))])
}, 30_000)

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-main-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
