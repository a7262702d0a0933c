import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { host } from './parts.ts'

export type NodePorts = { postgres: number; rest: number }

/** Small enough that a standby takes over within seconds. `ttl` is at least `loop_wait` and twice `retry_timeout`. */
const clusterSettings = {
  ttl: 8,
  loop_wait: 1,
  retry_timeout: 3,
  synchronous_mode: true,
  // The primary goes on without etcd as long as it reaches all members.
  failsafe_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, jit: 'off', shared_buffers: '64MB' },
  },
}

/** Writes the settings of one PostgreSQL server, which Patroni starts. JSON is valid YAML. */
export function writePatroniSettings(
  folder: string,
  name: string,
  binaries: string,
  etcds: readonly string[],
  ports: NodePorts,
): string {
  const path = join(folder, `${name}.yml`)
  const settings = {
    scope: 'poa',
    name,
    restapi: { listen: `${host}:${ports.rest}`, connect_address: `${host}:${ports.rest}` },
    etcd3: { hosts: etcds },
    bootstrap: {
      dcs: clusterSettings,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: `${host}:${ports.postgres}`,
      connect_address: `${host}:${ports.postgres}`,
      data_dir: join(folder, name),
      bin_dir: binaries,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      // A copy starts with a checkpoint, which PostgreSQL otherwise stretches over minutes.
      basebackup: [{ checkpoint: 'fast' }],
      parameters: { unix_socket_directories: folder },
      pg_hba: [`host all all ${host}/32 trust`, `host replication replicator ${host}/32 trust`],
    },
  }
  writeFileSync(path, JSON.stringify(settings, null, 2))
  return path
}
