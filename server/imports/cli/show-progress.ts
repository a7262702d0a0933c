import { SingleBar } from 'cli-progress'
import type { ImportProgress } from '../import-watch.ts'

const lineEveryMs = 2_000

export type ProgressDisplay = { show(progress: ImportProgress): void; stop(): void }

export function showProgress(output: NodeJS.WriteStream): ProgressDisplay {
  return output.isTTY ? progressBar(output) : progressLines(output)
}

function progressBar(output: NodeJS.WriteStream): ProgressDisplay {
  const bar = new SingleBar({
    stream: output,
    format: '{phase} [{bar}] {percentage}% | {rows} rows | {duration_formatted}',
    hideCursor: true,
  })
  let isStarted = false
  return {
    show({ phase, rows, bytesRead, totalBytes }) {
      if (!isStarted) bar.start(totalBytes ?? bytesRead, 0, { phase, rows })
      isStarted = true
      bar.setTotal(Math.max(totalBytes ?? 0, bytesRead))
      bar.update(bytesRead, { phase: phaseLabel[phase], rows: rows.toLocaleString('en-US') })
    },
    stop() {
      if (isStarted) bar.stop()
      isStarted = false
    },
  }
}

const phaseLabel = { reading: 'Reading', comparing: 'Comparing', publishing: 'Storing' } as const

function progressLines(output: NodeJS.WriteStream): ProgressDisplay {
  let lastLine = 0
  return {
    show({ phase, rows, bytesRead, totalBytes }) {
      if (Date.now() - lastLine < lineEveryMs) return
      lastLine = Date.now()
      const share =
        totalBytes && phase === 'reading' ? ` (${Math.floor((bytesRead / totalBytes) * 100)} %)` : ''
      output.write(`${phaseLabel[phase]}: ${rows.toLocaleString('en-US')} rows${share}\n`)
    },
    stop() {},
  }
}
