import { Button, Radio } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import {
  allColumns,
  commonFormats,
  type ExportFormat,
  exportFormats,
  exportForms,
  type ExportForm as FileForm,
  formatFacts,
  formFacts,
  hasForms,
  isConverted,
  maxConverted,
  maxDownloaded,
  maxInBackground,
} from '#domain/exports/export-format.ts'
import { counted } from '#domain/values/wording.ts'
import {
  backgroundExportsQuery,
  drawingsExportAddress,
  type ExportQuery,
  type ExportSelection,
  exportAddress,
  exportSelected,
  startBackgroundExport,
} from '#web/api/exports.api.ts'
import { requireSession } from '#web/api/session.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { downloadFile, downloadFrom } from '#web/ui/download-file.ts'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { TimeZoneNote } from '#web/ui/time-zone-note.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { BackgroundExports } from './background-exports.tsx'
import classes from './export-form.module.css'

/** Fixed when the dialog opens. */
export type Exported = {
  mapId: string
  of: ExportedFeatures | 'drawings'
  count: number | undefined
}

type ExportedFeatures = {
  query: ExportQuery
  columns?: readonly string[] | undefined
  selection?: ExportSelection | undefined
}

const otherFormats = exportFormats.filter((format) => !commonFormats.includes(format))

export function ExportForm({ mapId, of, count = 0, onDone }: Exported & { onDone(): void }) {
  const client = useQueryClient()
  const features = of === 'drawings' ? null : of
  const { columns, selection } = features ?? {}
  const isStaff = useMay('staff', mapId)
  const [format, setFormat] = useState<ExportFormat>(features ? 'xlsx' : 'geojson')
  const [form, setForm] = useState<FileForm>('reading')
  const [hasAllFormats, setHasAllFormats] = useState(false)
  const [which, setWhich] = useState<'shown' | 'all'>(columns ? 'shown' : 'all')
  // Requires staff columns even if the session ends while the dialog is open, so that none is silently omitted.
  const [isForStaff] = useState(isStaff || columns !== undefined)
  const options = {
    format,
    form: hasForms(format) ? form : undefined,
    columns: which === 'shown' ? columns : isForStaff ? [allColumns] : undefined,
  }
  const address = features
    ? exportAddress(mapId, features.query, options)
    : drawingsExportAddress(mapId, options)
  const maxCountOf = (one: ExportFormat) =>
    isConverted(one) && isStaff ? maxInBackground[one] : maxDownloaded(one)
  const isLong = isConverted(format) && count > maxConverted

  const exporting = useMutation({
    async mutationFn() {
      if (features && isLong) {
        const { id } = await startBackgroundExport(mapId, { query: features.query, selection }, options)
        await client.invalidateQueries({ queryKey: backgroundExportsQuery(mapId).queryKey })
        return id
      }
      if (features && selection) {
        const { name, file } = await exportSelected(mapId, features.query, { options, selection })
        downloadFile(name, file)
      } else {
        await requireSession()
        downloadFrom(address)
      }
      showSuccess('The export is downloading')
      onDone()
      return undefined
    },
  })

  return (
    <div className={classes.form}>
      {isStaff && <BackgroundExports mapId={mapId} startedId={exporting.data} />}
      <Radio.Group label="Format" value={format} onChange={(value) => setFormat(value as ExportFormat)}>
        <div className={classes.choices}>
          {(hasAllFormats ? [...commonFormats, ...otherFormats] : commonFormats).map((one) => (
            <Radio
              key={one}
              value={one}
              label={formatFacts[one].label}
              disabled={count > maxCountOf(one)}
              description={
                count > maxCountOf(one)
                  ? `Up to ${counted(maxCountOf(one), 'feature')}. Filter the list, or choose GeoJSON or CSV.`
                  : formatFacts[one].words
              }
            />
          ))}
        </div>
        <Button
          className={classes.more}
          variant="subtle"
          size="compact-sm"
          aria-expanded={hasAllFormats}
          disabled={!commonFormats.includes(format)}
          onClick={() => setHasAllFormats(!hasAllFormats)}
        >
          {hasAllFormats ? 'Fewer formats' : 'More formats'}
        </Button>
      </Radio.Group>
      {hasForms(format) && (
        <Radio.Group label="Contents" value={form} onChange={(value) => setForm(value as FileForm)}>
          <div className={classes.choices}>
            {exportForms.map((one) => (
              <Radio key={one} value={one} label={formFacts[one].label} description={formFacts[one].words} />
            ))}
          </div>
        </Radio.Group>
      )}
      {columns && (
        <Radio.Group label="Columns" value={which} onChange={(value) => setWhich(value as 'shown' | 'all')}>
          <div className={classes.choices}>
            <Radio value="shown" label="Columns of the table" />
            <Radio value="all" label="All fields" />
          </div>
        </Radio.Group>
      )}
      {hasForms(format) && form === 'reading' && <TimeZoneNote />}
      <FormFooter
        failure={exporting.error && `Could not export. ${exporting.error.message}`}
        status={isLong && 'The export runs in the background. You can download it here when it is ready.'}
      >
        <Button variant="default" onClick={onDone}>
          {isLong ? 'Close' : 'Cancel'}
        </Button>
        {isLong || selection ? (
          <Button loading={exporting.isPending} onClick={() => exporting.mutate()}>
            Export
          </Button>
        ) : (
          <Button
            component="a"
            href={address}
            download
            loading={exporting.isPending}
            onClick={(event: MouseEvent) => {
              if (!isForStaff) return onDone()
              event.preventDefault()
              exporting.mutate()
            }}
          >
            Export
          </Button>
        )}
      </FormFooter>
    </div>
  )
}
