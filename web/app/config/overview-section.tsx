import { Button } from '@mantine/core'
import { IconMap2, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { ActivityList } from '#web/activity/activity-list.tsx'
import { useMay } from '#web/api/use-session.ts'
import { Fact, FactList } from '#web/ui/facts.tsx'
import { formatNumber } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import classes from './overview-section.module.css'

const shownActivities = 5

/** The client at a glance: what its map holds, what happened last, and the ways to its other maps. */
export function OverviewSection({
  summary,
  configuration,
}: {
  summary: MapSummary
  configuration: MapConfigurationAnswer
}) {
  const isStaff = useMay('staff', summary.id)
  const { client, counts, id } = summary
  const total = featureKinds.reduce((sum, kind) => sum + counts[kind], 0)
  return (
    <div className={classes.overview}>
      <h1>{client?.name ?? 'Sample map'}</h1>
      {client && <p className={classes.location}>{client.location}</p>}
      <FactList>
        {featureKinds.map((kind) => (
          <Fact key={kind} label={kindLabels[kind].many}>
            {formatNumber(counts[kind])}
          </Fact>
        ))}
        <Fact label="Settings">
          {configuration.isApplied ? `Version ${configuration.version}` : 'None applied'}
        </Fact>
        {client && (
          <Fact label="Last updated">
            <time dateTime={client.lastUpdated} title={exactTime(client.lastUpdated)}>
              {relativeTime(client.lastUpdated)}
            </time>
          </Fact>
        )}
      </FactList>
      {total === 0 && (
        <p className={classes.hint}>
          This map is empty. Bring in parcels, assets or incidents from a file: npm run import -- --help
        </p>
      )}
      <div className={classes.ways}>
        <Button
          component={Link}
          to={`/map/${id}`}
          variant="default"
          leftSection={<IconMap2 size={16} aria-hidden="true" />}
        >
          Public map
        </Button>
        <Button
          component={Link}
          to={`/webgl/${id}`}
          variant="default"
          leftSection={<IconStack2 size={16} aria-hidden="true" />}
        >
          Viewer
        </Button>
      </div>
      {isStaff && (
        <>
          <h2>Last changes</h2>
          <div className={classes.changes}>
            <ActivityList mapId={id} limit={shownActivities} />
          </div>
        </>
      )}
    </div>
  )
}
