import { install, projectEnvironment, projectNode } from './install.mjs'
import { runTogether } from './processes.mjs'
import { root, say } from './root.mjs'

// npm run dev: the server restarts on save; the page comes from Vite, which passes /api on to the server.

install()
const node = projectNode()
say('Server and page are starting; open the address that Vite shows. Ctrl+C ends both.')
const commands = [
  [node, '--watch', '--watch-preserve-output', 'server/main.ts'],
  [node, 'node_modules/vite/bin/vite.js'],
]
process.exit(await runTogether(commands, { cwd: root, env: projectEnvironment() }))
