import { install, projectEnvironment, projectNode } from './install.mjs'
import { run, stopAll } from './processes.mjs'
import { root, say } from './root.mjs'

// npm run dev: the server restarts on save; Vite serves the page, and passes /api on to the server.

await install()
say('Server and page are starting; open the address that Vite shows. Ctrl+C ends both.')
const node = projectNode()
// Signing in must return to the address in the browser.
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
