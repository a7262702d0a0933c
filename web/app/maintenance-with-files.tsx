import { EntryFiles } from '#web/files/entry-files.tsx'
import { useFileChanges } from '#web/files/use-file-changes.ts'
import { type Asset, FeatureMaintenance } from '#web/records/maintenance/feature-maintenance.tsx'
import { calendarDay } from '#web/ui/relative-time.ts'

type MaintenanceWithFilesProps = { asset: Asset; editorId: string | null }

export function MaintenanceWithFiles({ asset, editorId }: MaintenanceWithFilesProps) {
  const { add } = useFileChanges(asset)
  return (
    <FeatureMaintenance
      asset={asset}
      editorId={editorId}
      files={{
        of: ({ id, date }) => (
          <EntryFiles feature={asset} entryId={id} day={calendarDay(date)} mayEdit={editorId !== null} />
        ),
        send: (files, entryId) => void add(files, entryId),
      }}
    />
  )
}
