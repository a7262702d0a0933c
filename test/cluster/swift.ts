import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AwsClient } from 'aws4fetch'
import { answers, host, makePrivate, type Part, ready, startPart, systemUser } from './parts.ts'

// OpenStack Swift with one copy of each object. Its proxy speaks S3, and signs in the one user below.

const user = { account: 'poa', name: 'server', secret: 'of-this-machine' }
const types = ['account', 'container', 'object'] as const

export const swiftPorts = ['swift', 'memcached', ...types] as const
type Ports = Record<(typeof swiftPorts)[number], number>

/** Settings of the servers. */
export const objectStoreSettings = (ports: Ports) => ({
  FILE_STORE_URL: `http://${host}:${ports.swift}/poa-files`,
  FILE_STORE_KEY_ID: `${user.account}:${user.name}`,
  FILE_STORE_SECRET: user.secret,
})

/** Without the part `objects`, the store is not reachable. `add` starts a part and stops it at the end. */
export async function startSwift(
  folder: string,
  ports: Ports,
  signal: AbortSignal,
  add: (name: string, part: Part) => void,
) {
  const place = join(folder, 'swift')
  for (const path of [place, join(place, 'devices'), join(place, 'devices', 'disk')]) {
    mkdirSync(path)
    makePrivate(path)
  }
  await Promise.all(types.map((type) => writeRing(place, type, ports[type])))
  const start = (name: string, command: string[]) => add(name, startPart(folder, name, command))
  const startServer = (name: string, program: string, settings: string) => {
    const path = join(place, `${name}.conf`)
    writeFileSync(path, settings)
    start(name, [program, path, '-v'])
  }
  // The sign-in of Swift needs it.
  start('memcached', ['memcached', '-l', host, '-p', `${ports.memcached}`, '-U', '0'])
  for (const type of types)
    startServer(
      `swift-${type}`,
      `swift-${type}-server`,
      `${shared(place, ports[type])}
devices = ${join(place, 'devices')}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = healthcheck ${type}-server
[app:${type}-server]
use = egg:swift#${type}
[filter:healthcheck]
use = egg:swift#healthcheck
`,
    )
  startServer(
    'objects',
    'swift-proxy-server',
    `${shared(place, ports.swift)}
[pipeline:main]
pipeline = catch_errors healthcheck cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = ${host}:${ports.memcached}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_${user.account}_${user.name} = ${user.secret} .admin
`,
  )
  for (const type of [...types, 'swift'] as const) await swiftAnswers(ports, signal, type)
  await ready('The bucket', signal, () => createBucket(ports))
}

export const swiftAnswers = (ports: Ports, signal: AbortSignal, type: keyof Ports = 'swift') =>
  ready('Swift', signal, answers(`http://${host}:${ports[type]}/healthcheck`))

const shared = (place: string, port: number) => `[DEFAULT]
bind_ip = ${host}
bind_port = ${port}
workers = 0
user = ${systemUser}
swift_dir = ${place}`

async function writeRing(place: string, type: (typeof types)[number], port: number) {
  const builder = join(place, `${type}.builder`)
  for (const step of [['create', '4', '1', '0'], ['add', `r1z1-${host}:${port}/disk`, '1'], ['rebalance']])
    await promisify(execFile)('swift-ring-builder', [builder, ...step])
}

async function createBucket(ports: Ports): Promise<boolean> {
  const { FILE_STORE_URL, FILE_STORE_KEY_ID, FILE_STORE_SECRET } = objectStoreSettings(ports)
  const client = new AwsClient({
    accessKeyId: FILE_STORE_KEY_ID,
    secretAccessKey: FILE_STORE_SECRET,
    service: 's3',
    region: 'us-east-1',
    retries: 0,
  })
  return (await client.fetch(FILE_STORE_URL, { method: 'PUT' })).ok
}
