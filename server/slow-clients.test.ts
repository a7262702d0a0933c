import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { getOnce, settingsOf, startServer } from '#test/server/server-process.ts'

const halves = {
  nothing: '',
  'half a line': 'GET /api/cli',
  'half its headers': 'GET /api/clients HTTP/1.1\r\nhost: localhost\r\nx-slow: ',
  'half its body':
    'POST /api/clients HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a',
}

onEngine('sqlite', 'slow clients', (createDatabase) => {
  it('are disconnected without delaying other clients', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await using server = await startServer(settingsOf(database.location))
    const slow = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        sendHalf(server.port, Object.values(halves)[index % 4] ?? ''),
      ),
    )
    let cutOff = 0
    for (const { closed } of slow) closed.then(() => cutOff++)
    const answers = await Promise.all(Array.from({ length: 20 }, () => getOnce(`${server.url}/api/clients`)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(cutOff).toBe(0)
    await Promise.all(slow.map(({ closed }) => closed))
  }, 30_000)
})

function sendHalf(port: number, text: string): Promise<{ closed: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      const closed = new Promise<void>((end) => socket.once('close', () => end()))
      socket.resume()
      socket.write(text)
      resolve({ closed })
    })
  })
}
