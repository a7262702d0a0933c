import { useEditorId, useMay } from '#web/api/use-session.ts'
import { NoPermission } from '#web/ui/states.tsx'
import { EarlierLand, type EarlierLandProps } from './earlier-land.tsx'
import classes from './land.module.css'
import { LandCheck } from './land-check.tsx'

type LandPanelProps = EarlierLandProps & {
  /** The shape editor was started on the map. */
  onEdit(): void
}

export function LandPanel(props: LandPanelProps) {
  const { mapId, onShow, onEdit } = props
  const isStaff = useMay('staff', mapId)
  const editorId = useEditorId(mapId)
  return (
    <div className={classes.panel}>
      {!isStaff && <NoPermission text="Only staff of this client can see this." />}
      {editorId !== null && <LandCheck mapId={mapId} editorId={editorId} onShow={onShow} onEdit={onEdit} />}
      {isStaff && <EarlierLand {...props} />}
    </div>
  )
}
