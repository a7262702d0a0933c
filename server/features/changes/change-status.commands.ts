import { type FeatureStatus, operationalStatuses } from '#domain/definition/kinds.ts'
import type { FeatureChange } from '#domain/features/change-feature.ts'
import { hasField } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import type { Database } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { type Expectation, NotFoundError, RefusedError } from '../../domain-error.ts'
import { requireOpenMapIn } from '../../maps/maps.queries.ts'
import { kindOfRow } from '../rows/derive-columns.ts'
import { lockFeatures } from '../rows/feature-rows.queries.ts'
import type { Change } from './change-context.ts'
import { changeFeaturesIn } from './change-features.commands.ts'

/**
 * Section 4 of the specification: incidents are resolved or reopened, assets set to one of three states. No effect if
 * the status is already set; throws if the kind does not have the status.
 */
export function changeStatus(
  database: Database,
  change: Change,
  { id, status, isExpected }: { id: string; status: FeatureStatus; isExpected: Expectation },
): Promise<FeatureColumns> {
  const { mapId } = change
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const row = (await lockFeatures(database, transaction, mapId, [id])).get(id)
    if (!row) throw new NotFoundError(`Map ${mapId} has no feature ${id}.`)
    const operation = { action: 'change', id, isExpected, change: sayStatus(kindOfRow(row), status) } as const
    const [outcome] = await changeFeaturesIn(database, transaction, change, [operation])
    return outcome?.row ?? row
  })
}

function sayStatus(kind: FeatureDetail['kind'], status: FeatureStatus): FeatureChange {
  const allowed = allowedStatuses(kind)
  if (!allowed.includes(status))
    throw new RefusedError(
      'status',
      allowed.length > 0
        ? `of this feature must be one of ${allowed.join(', ')}`
        : 'does not apply to parcels',
    )
  return hasField({ kind }, 'resolved') ? { resolved: status === 'resolved' } : { status }
}

function allowedStatuses(kind: FeatureDetail['kind']): readonly FeatureStatus[] {
  return kind === 'feature' ? operationalStatuses : kindTraits[kind].statuses
}
