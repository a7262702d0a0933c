import { parseArgs } from 'node:util'
import { counted } from '#domain/values/wording.ts'
import { UsageError } from '../command.ts'

type Arguments<Flag extends string> = { file: string; flags: Record<Flag, boolean> } | null

export function readArguments<Flag extends string>(
  args: readonly string[],
  flags: readonly Flag[],
): Arguments<Flag> {
  const { values, positionals } = parse(args, flags)
  if (values.help || args.length === 0) return null
  const [file, ...others] = positionals
  if (!file) throw new UsageError('the file is missing')
  if (others.length > 0) throw new UsageError(`only one file is allowed; unexpected "${others[0]}"`)
  const all: Record<string, unknown> = values
  const given = flags.map((flag) => [flag, all[flag] === true] as const)
  return { file, flags: Object.fromEntries(given) as Record<Flag, boolean> }
}

function parse(args: readonly string[], flags: readonly string[]) {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]))
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    const [line = ''] = (error as Error).message.split(/\n|\. To specify/)
    throw new UsageError(line)
  }
}

const lineEveryMs = 2_000

export const rowsOf = (count: number) => counted(count, 'row')

export const filesOf = (count: number) => counted(count, 'file')

export type ShowProgress = (what: string, rows: number) => void

export function progressLines(say: (line: string) => void): ShowProgress {
  let lastPhase = ''
  let lastLine = 0
  return (what, rows) => {
    if (what === lastPhase && Date.now() - lastLine < lineEveryMs) return
    lastPhase = what
    lastLine = Date.now()
    say(`${what}: ${rowsOf(rows)}`)
  }
}
