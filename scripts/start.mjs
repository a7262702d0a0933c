import { buildPage } from './build.mjs'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { run, stoppingWithParent } from './processes.mjs'
import { root } from './root.mjs'

// npm start: whatever is missing is installed and built first, so that a fresh clone needs one command.

install()
if (!buildPage()) process.exit(1)
const server = [projectNode(), ...stoppingWithParent, 'server/main.ts']
process.exit(await run(server, { cwd: root, env: projectEnvironment() }))
