import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { host } from './parts.ts'

type Served = { port: number; database: string; user: string }

export function writePgbouncerSettings(folder: string, port: number, served: Served): string {
  const path = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${served.user}" ""\n`)
  writeFileSync(
    path,
    `[databases]
${served.database} = host=${host} port=${served.port}
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 40
server_connect_timeout = 2
server_login_retry = 1
query_wait_timeout = 15
`,
  )
  return path
}
