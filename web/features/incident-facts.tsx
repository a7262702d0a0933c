import type { Incident } from '#domain/incidents/incident.schema.ts'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { formatPlace } from '#web/ui/measures.ts'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import { MetadataFacts, usePersonalMark } from './metadata.tsx'
import { Instant, ParcelLink } from './shared-facts.tsx'
import { typeLabel } from './type-label.ts'

export function IncidentFacts({ incident, onSelect }: { incident: Incident; onSelect(id: string): void }) {
  const { type, severity, resolved, resolvedDate, date, reportedBy, location, parcelId } = incident
  const mark = usePersonalMark(incident.mapId)
  return (
    <>
      <Prose>{incident.description}</Prose>
      <FactList>
        <Fact label="Status">
          <StatusBadge status={resolved ? 'resolved' : 'unresolved'} />
        </Fact>
        <Fact label="Severity">
          <SeverityBadge severity={severity} />
        </Fact>
        <Fact label="Type">{type === null ? null : typeLabel('incident', type)}</Fact>
        <Fact label="Date">
          <Instant value={date} />
        </Fact>
        {resolved && (
          <Fact label="Resolved">
            <Instant value={resolvedDate} />
          </Fact>
        )}
        <Fact label="Reported by" mark={mark}>
          {reportedBy}
        </Fact>
        <Fact label="Parcel">
          <ParcelLink id={parcelId} onSelect={onSelect} />
        </Fact>
        <Fact label="Location">{formatPlace(location)}</Fact>
        <Fact label="Id">{incident.id}</Fact>
        <MetadataFacts feature={incident} />
      </FactList>
    </>
  )
}
