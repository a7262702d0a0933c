import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type LandRecord, type LandRecordType, landRecordTypes } from '#domain/features/land-change.schema.ts'
import { DateInput, incompleteDate } from '#web/ui/date-input.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RecordFile } from './record-file.tsx'
import classes from './shaping.module.css'

type RecordDialogProps = {
  mapId: string
  /** The feature that gets new files. Null if it is not saved yet. */
  featureId: string | null
  isOpen: boolean
  record: LandRecord | null
  onClose(): void
  onRecord(record: LandRecord | null): void
}

export const RecordDialog = ({ isOpen, onClose, ...props }: RecordDialogProps) => (
  <Dialog title="Record of this change" isOpen={isOpen} onClose={onClose}>
    {() => <RecordForm {...props} onClose={onClose} />}
  </Dialog>
)

function RecordForm({ mapId, featureId, record, onClose, onRecord }: Omit<RecordDialogProps, 'isOpen'>) {
  const [type, setType] = useState<LandRecordType>(record?.type ?? 'plat')
  const [number, setNumber] = useState(record?.number ?? '')
  const [date, setDate] = useState(record?.date ?? '')
  const [fileId, setFileId] = useState(record?.fileId ?? null)
  const isValid = number.trim() !== '' && date !== incompleteDate
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) onRecord({ type, number: number.trim(), date: date === '' ? null : date, fileId })
      }}
    >
      <p>The document that these changes follow. The details of the changed records show it.</p>
      <Select
        label="Document"
        data={Object.entries(landRecordTypes).map(([value, label]) => ({ value, label }))}
        value={type}
        allowDeselect={false}
        onChange={(value) => value && setType(value as LandRecordType)}
      />
      <TextInput
        label="Number"
        placeholder="2026-14"
        maxLength={100}
        data-autofocus
        value={number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <DateInput label="Date" type="date" value={date} onChange={setDate} />
      <RecordFile mapId={mapId} featureId={featureId} fileId={fileId} onFile={setFileId} />
      <div className={classes.buttons}>
        {record && (
          <Button variant="default" onClick={() => onRecord(null)}>
            Remove
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isValid}>
          Apply
        </Button>
      </div>
    </form>
  )
}
