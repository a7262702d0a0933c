import { IconUsers } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RecordReader } from '#domain/features/open-record.schema.ts'
import { openReportEveryMs } from '#domain/features/open-record.ts'
import { newKey } from '#web/api/http.ts'
import { type OpenRecord, reportClosed, reportOpen } from '#web/api/open-records.api.ts'
import { exactTime } from '#web/ui/relative-time.ts'
import classes from './open-elsewhere.module.css'

type OpenElsewhereProps = { others: readonly RecordReader[]; isEditing: boolean }

export function OpenElsewhere({ others, isEditing }: OpenElsewhereProps) {
  return (
    <div role="status" className={classes.others}>
      {others.map((other) => (
        <p key={`${other.isSelf} ${other.name}`} title={`Since ${exactTime(other.since)}`}>
          <IconUsers size={16} aria-hidden="true" />
          {say(other, isEditing)}
        </p>
      ))}
    </div>
  )
}

function say({ name, isSelf, isEditing }: RecordReader, isEditedHere: boolean): string {
  const who = isSelf ? 'You' : name
  const verb = isSelf ? { edit: 'are editing', have: 'have' } : { edit: 'is editing', have: 'has' }
  const where = isSelf ? ' in another window' : ''
  if (!isEditing) return `${who} ${verb.have} this open${where}${isSelf ? '' : ', too'}`
  return `${who} ${verb.edit} this${where}${isEditedHere && !isSelf ? ', too' : ''}`
}

type ReadRecord = { mapId: string; id: string; isEditing: boolean }

export function useOtherReaders({ mapId, id, isEditing }: ReadRecord): readonly RecordReader[] {
  const [others, setOthers] = useState<readonly RecordReader[]>([])
  /** Requests are sent one after another, so that their order is kept. */
  const lastRequest = useRef<Promise<unknown>>(Promise.resolve())
  const opened = useRef<OpenRecord>(null)
  const tell = useEffectEvent(() => {
    const record = opened.current
    if (!record) return
    lastRequest.current = lastRequest.current
      .then(() => reportOpen(record, isEditing))
      .catch(() => ({ others: [] }))
      .then((answer) => setOthers(answer.others))
  })
  useEffect(() => {
    const open = () => {
      opened.current = { mapId, id, pageId: newKey() }
    }
    const close = () => {
      const record = opened.current
      opened.current = null
      if (record) void reportClosed(record).catch(() => {})
    }
    // The browser restored the page from its cache.
    const openAgain = () => {
      if (!opened.current) open()
      tell()
    }
    open()
    const timer = window.setInterval(tell, openReportEveryMs)
    window.addEventListener('pagehide', close)
    window.addEventListener('pageshow', openAgain)
    return () => {
      window.clearInterval(timer)
      window.removeEventListener('pagehide', close)
      window.removeEventListener('pageshow', openAgain)
      close()
    }
  }, [mapId, id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other users see at once that the form was opened or closed.
  useEffect(() => tell(), [isEditing])
  return others
}
