import { Button, Group, Radio } from '@mantine/core'
import { useState } from 'react'
import {
  type ExportFormat,
  exportFormats,
  formatFacts,
  mostConverted,
} from '#domain/exports/export-format.ts'
import {
  type ExportQuestion,
  type ExportSelection,
  exportAddress,
  exportSelected,
} from '#web/api/exports.api.ts'
import { downloadFile } from '#web/ui/download-file.ts'
import { formatNumber } from '#web/ui/measures.ts'
import { tellFailed } from '#web/ui/toasts.tsx'
import classes from './export-form.module.css'

export type Exported = {
  mapId: string
  question: ExportQuestion
  /** How many features these are; undefined as long as nobody knows. */
  count: number | undefined
  /** The columns that the screen shows; undefined where it shows none. */
  columns?: readonly string[] | undefined
  /** What is selected of them; undefined: all. */
  selection?: ExportSelection | undefined
}

/** As which file, and with which columns. */
export function ExportForm({ onDone, ...exported }: Exported & { onDone(): void }) {
  const { mapId, question, count = 0, columns, selection } = exported
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [which, setWhich] = useState<'shown' | 'all'>(columns ? 'shown' : 'all')
  const [isComing, setIsComing] = useState(false)
  const wish = { format, columns: which === 'shown' ? columns : undefined }
  const isTooMuch = (one: ExportFormat) => formatFacts[one].isConverted && count > mostConverted

  async function fetchSelected() {
    if (!selection) return
    setIsComing(true)
    try {
      const { name, file } = await exportSelected(mapId, question, { wish, selection })
      downloadFile(name, file)
      onDone()
    } catch (error) {
      tellFailed('Nothing was exported', error as Error)
    } finally {
      setIsComing(false)
    }
  }

  return (
    <div className={classes.form}>
      <Radio.Group label="Format" value={format} onChange={(value) => setFormat(value as ExportFormat)}>
        <div className={classes.choices}>
          {exportFormats.map((one) => (
            <Radio
              key={one}
              value={one}
              label={formatFacts[one].label}
              disabled={isTooMuch(one)}
              description={
                isTooMuch(one)
                  ? `At most ${formatNumber(mostConverted)} features: narrow the list, or take GeoJSON or CSV.`
                  : formatFacts[one].words
              }
            />
          ))}
        </div>
      </Radio.Group>
      {columns && (
        <Radio.Group label="Columns" value={which} onChange={(value) => setWhich(value as 'shown' | 'all')}>
          <div className={classes.choices}>
            <Radio value="shown" label="As in the table" />
            <Radio value="all" label="All fields" />
          </div>
        </Radio.Group>
      )}
      <Group className={classes.deeds} justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        {selection ? (
          <Button loading={isComing} onClick={() => void fetchSelected()}>
            Export
          </Button>
        ) : (
          <Button component="a" href={exportAddress(mapId, question, wish)} download onClick={onDone}>
            Export
          </Button>
        )}
      </Group>
    </div>
  )
}
