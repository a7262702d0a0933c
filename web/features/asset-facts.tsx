import type { Asset } from '#domain/assets/asset.schema.ts'
import { shownMaintenanceEntries } from '#domain/assets/asset-types.ts'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { formatPlace } from '#web/ui/measures.ts'
import { calendarDay } from '#web/ui/relative-time.ts'
import { StatusBadge } from './badges.tsx'
import { MetadataFacts } from './metadata.tsx'
import { Day, ParcelLink } from './shared-facts.tsx'
import { typeLabel } from './type-label.ts'

export function AssetFacts({ asset, onSelect }: { asset: Asset; onSelect(id: string): void }) {
  const { type, status, installDate, lastMaintenance, maintenanceHistory, location, parcelId } = asset
  const shown = maintenanceHistory.slice(0, shownMaintenanceEntries)
  const more = maintenanceHistory.length - shown.length
  return (
    <>
      <Prose>{asset.description}</Prose>
      <FactList>
        <Fact label="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact label="Type">{type === null ? null : typeLabel('asset', type)}</Fact>
        <Fact label="Installed">
          <Day value={installDate} />
        </Fact>
        <Fact label="Last maintenance">
          <Day value={lastMaintenance} />
        </Fact>
        <Fact label="Parcel">
          <ParcelLink id={parcelId} onSelect={onSelect} />
        </Fact>
        <Fact label="Location">{formatPlace(location)}</Fact>
        <Fact label="Id">{asset.id}</Fact>
        <Fact label="Maintenance history" isWide>
          {shown.length === 0 ? null : (
            <ul>
              {shown.map((entry) => (
                <li key={`${entry.date} ${entry.description}`}>
                  <time dateTime={entry.date}>{calendarDay(entry.date)}</time>: {entry.description}
                </li>
              ))}
              {more > 0 && <li>… and {more} earlier</li>}
            </ul>
          )}
        </Fact>
        <MetadataFacts feature={asset} />
      </FactList>
    </>
  )
}
