import { setFlagsFromString } from 'node:v8'
import { runCommand } from '../command.ts'
import { importCommand } from './cli/import-command.ts'

// npm run import. Exit codes: 0 imported, 1 failed or no row was imported, 2 the command was not understood.

// Otherwise V8 takes 100 MB more for short-lived rows and is no faster. Set at run time, because
// `--max-semi-space-size` cannot be.
setFlagsFromString('--semi-space-growth-factor=1')

await runCommand(() => importCommand(process.argv.slice(2), process.env), 'The import failed:')
