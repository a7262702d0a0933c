import type { DatabaseLocation } from '#server/database/open-database.ts'
import { type RunningProcess, startNode, startProcess } from '#test/server/processes.ts'
import { serverProgram } from '../scripts/processes.mjs'

/** The server, as `npm start` runs it. */
export const startProgram = (env: NodeJS.ProcessEnv): RunningProcess =>
  startProcess(process.execPath, serverProgram, { env })

/** A command of the product, by its file. */
export function startCommand(
  file: string,
  args: readonly string[],
  { dataDirectory, databaseUrl }: DatabaseLocation,
): RunningProcess {
  const env = { ...process.env, DATA_DIR: dataDirectory, DATABASE_URL: databaseUrl ?? '' }
  return startNode(file, [...args], { env })
}

/** Seconds, including the start of the command. */
export async function timeCommand(...command: Parameters<typeof startCommand>): Promise<number> {
  const start = performance.now()
  await using running = startCommand(...command)
  if ((await running.exited) !== 0) throw new Error(running.output())
  return (performance.now() - start) / 1000
}
