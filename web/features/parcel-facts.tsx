import type { Parcel } from '#domain/parcels/parcel.schema.ts'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { formatAcres, formatDollars, formatNumber, formatPlace } from '#web/ui/measures.ts'
import { MetadataFacts, usePersonalMark } from './metadata.tsx'
import { Day } from './shared-facts.tsx'

export function ParcelFacts({ parcel }: { parcel: Parcel }) {
  const { owner, area, buildings, purchaseDate, zoning, taxInfo, center, boundaries } = parcel
  const mark = usePersonalMark(parcel.mapId)
  return (
    <>
      <Prose>{parcel.description}</Prose>
      <FactList>
        <Fact label="Owner" mark={mark}>
          {owner}
        </Fact>
        <Fact label="Area">{area === null ? null : formatAcres(area)}</Fact>
        <Fact label="Buildings">{buildings === null ? null : formatNumber(buildings)}</Fact>
        <Fact label="Purchased">
          <Day value={purchaseDate} />
        </Fact>
        <Fact label="Zoning">{zoning?.type}</Fact>
        <Fact label="Restrictions">{zoning?.restrictions}</Fact>
        <Fact label="Annual tax" mark={mark}>
          {taxInfo?.annualAmount === null || taxInfo?.annualAmount === undefined
            ? null
            : formatDollars(taxInfo.annualAmount)}
        </Fact>
        <Fact label="Tax last paid" mark={mark}>
          <Day value={taxInfo?.lastPaid ?? null} />
        </Fact>
        <Fact label="Center">{formatPlace(center)}</Fact>
        <Fact label="Boundary">{`${formatNumber(Math.max(0, boundaries.length - 1))} corners`}</Fact>
        <Fact label="Id">{parcel.id}</Fact>
        <MetadataFacts feature={parcel} />
      </FactList>
    </>
  )
}
