import { IconUsers } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RecordReader } from '#domain/features/open-record.schema.ts'
import { openSaidEveryMs } from '#domain/features/open-record.ts'
import { sayClosed, sayOpen } from '#web/api/open-records.api.ts'
import { exactTime } from '#web/ui/relative-time.ts'
import classes from './open-elsewhere.module.css'

type OpenElsewhereProps = { others: readonly RecordReader[]; isEditing: boolean }

/** Who else has the record open, so that two people do not do the same work. */
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

type OpenRecord = { mapId: string; id: string; isEditing: boolean }

/** Tells the server of this page, and hears of others, for as long as the record is open. */
export function useOtherReaders({ mapId, id, isEditing }: OpenRecord): readonly RecordReader[] {
  const [others, setOthers] = useState<readonly RecordReader[]>([])
  /** One after the other: that it is closed is the last that is said. */
  const said = useRef<Promise<unknown>>(Promise.resolve())
  const tell = useEffectEvent(() => {
    said.current = said.current
      .then(() => sayOpen(mapId, id, isEditing))
      // Who cannot be asked about is not told of.
      .catch(() => ({ others: [] }))
      .then((answer) => setOthers(answer.others))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: others hear at once that the form was opened or closed.
  useEffect(() => tell(), [isEditing])
  useEffect(() => {
    const tellOfClosing = () => void sayClosed(mapId, id).catch(() => {})
    const timer = window.setInterval(tell, openSaidEveryMs)
    window.addEventListener('pagehide', tellOfClosing)
    // A page that the browser had kept is shown again.
    window.addEventListener('pageshow', tell)
    return () => {
      window.clearInterval(timer)
      window.removeEventListener('pagehide', tellOfClosing)
      window.removeEventListener('pageshow', tell)
      void said.current.then(tellOfClosing)
    }
  }, [mapId, id])
  return others
}
