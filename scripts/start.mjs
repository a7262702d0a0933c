import { buildPage } from './build.mjs'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { run } from './processes.mjs'
import { root } from './root.mjs'

// npm start: whatever is missing is installed and built first, so that a fresh clone needs one command.

install()
if (!buildPage()) process.exit(1)
process.exit(await run([projectNode(), 'server/main.ts'], { cwd: root, env: projectEnvironment() }))
