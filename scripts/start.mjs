import { buildPage } from './build.mjs'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { runOnNode, serverProgram } from './processes.mjs'
import { root } from './root.mjs'

// npm start: installs and builds first if necessary, so that a fresh clone needs one command.

await install()
const node = projectNode()
if (!(await buildPage())) process.exit(1)
process.exit(await runOnNode(node, serverProgram, { cwd: root, env: projectEnvironment() }))
