import { resolve } from 'node:path'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { runOnNode } from './processes.mjs'
import { fail, root } from './root.mjs'

// node scripts/run.mjs FILE [arguments]: runs a TypeScript file on the project's Node.

const [file, ...args] = process.argv.slice(2)
if (!file) fail('Which file? node scripts/run.mjs FILE [arguments]')
await install()
process.exit(await runOnNode(projectNode(), [resolve(root, file), ...args], { env: projectEnvironment() }))
