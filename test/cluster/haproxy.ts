import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { host } from './parts.ts'
import type { NodePorts } from './patroni.ts'

type Ports = { app: number; primary: number; replica: number }

/** In front of the servers, and of PostgreSQL: Patroni's REST API says which server is the primary. */
export function writeHaproxySettings(
  folder: string,
  ports: Ports,
  servers: readonly number[],
  nodes: readonly NodePorts[],
): string {
  const path = join(folder, 'haproxy.cfg')
  const database = (role: 'primary' | 'replica') => `
listen ${role}
  bind ${host}:${ports[role]}
  mode tcp
  timeout client 1h
  timeout server 1h
  option httpchk GET /${role}
  # One replica at a time, until it fails: the position of one says nothing of another.
  stick-table type ip size 1
  stick on dst
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ postgres, rest }, index) => `  server pg${index + 1} ${host}:${postgres} check port ${rest}`).join('\n')}
`
  const settings = `
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  # A server without a database answers after two seconds.
  timeout check 3s
  retries 3
  option redispatch 1
listen app
  bind ${host}:${ports.app}
  option httpchk GET /health/ready
  # 507: the disk is full, but reading works.
  http-check expect status 200,507
  # Only for the demo sign-in, which each server remembers by itself.
  cookie server insert indirect nocache
  default-server inter 1s fall 2 rise 1
${servers.map((port, index) => `  server server${index + 1} ${host}:${port} cookie ${index + 1} check`).join('\n')}
${database('primary')}${database('replica')}`
  writeFileSync(path, settings.trimStart())
  return path
}
