import { install, projectEnvironment, projectNode } from './install.mjs'
import { run, stopAll } from './processes.mjs'
import { root, say } from './root.mjs'

// npm run dev: the server restarts on save; the page comes from Vite, which passes /api on to the server.

await install()
say('Server and page are starting; open the address that Vite shows. Ctrl+C ends both.')
const node = projectNode()
// Signing in leads back to the address that the browser is at.
const env = { PUBLIC_URL: 'http://localhost:5173', ...projectEnvironment() }
const options = { cwd: root, env }
const programs = [
  run([node, '--watch', '--watch-preserve-output', 'server/main.ts'], options),
  run([node, 'node_modules/vite/bin/vite.js'], options),
]
const exitCode = await Promise.race(programs)
stopAll()
await Promise.all(programs)
process.exit(exitCode)
