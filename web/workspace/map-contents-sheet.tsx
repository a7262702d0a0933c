import type { ReactNode } from 'react'
import { LegendBody } from '#web/features/legend-frame.tsx'
import { SideDialog } from '#web/ui/dialog.tsx'
import { type BaseMapChoiceProps, BaseMapSwitch } from './base-map-switch.tsx'
import classes from './map-contents-sheet.module.css'

type MapContentsSheetProps = BaseMapChoiceProps & { label: string; legend: ReactNode; onClose(): void }

export function MapContentsSheet({ label, legend, onClose, ...baseMaps }: MapContentsSheetProps) {
  return (
    <SideDialog label={label} from="foot" isOpen onClose={onClose}>
      {() => (
        <div className={classes.contents}>
          <BaseMapSwitch {...baseMaps} isWide />
          {legend && <LegendBody>{legend}</LegendBody>}
        </div>
      )}
    </SideDialog>
  )
}
