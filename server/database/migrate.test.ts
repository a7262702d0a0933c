import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { startNode } from '#test/server/processes.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const names = [
  '001-initial',
  '002-staff',
  '003-order-and-search',
  '004-ranks-and-counts',
  '005-drawings',
  '006-words-of-maps',
  '007-shapes-by-zoom',
  '008-incidents-on-tiles',
  '009-places-of-maps',
  '010-published-metadata',
  '011-sessions',
  '012-order-in-columns',
  '013-min-zoom',
  '014-equals-in-list-order',
  '015-attention',
  '016-owners-found',
  '017-feature-history',
  '018-jobs',
  '019-files',
  '020-maintenance',
  '021-own-fields',
  '022-files-of-entries',
  '023-open-records',
  '024-import-drafts',
  '025-closed-records',
  '026-replaced-edits',
  '029-general-features',
  '030-api-tokens',
  '035-webhooks',
  '040-import-recipes',
  '041-background-exports',
  '042-visibility-of-own-fields',
  '043-import-room',
  '044-file-store',
  '045-time-zone-of-client',
  '046-contact-of-client',
  '047-names-of-people',
  '048-places-apart',
  '049-land-changes',
  '050-land-checks',
  '051-land-files',
  '052-reports',
  '053-work',
  '054-report-settings',
  '055-merges',
  '056-land-record-files',
  '057-subscriptions',
  '059-senders-of-reports',
  '060-notices',
  '061-work-instructions',
  '062-limits-of-reporters',
]

onEachEngine('migrate', (createDatabase, { createLocation }) => {
  it('does nothing the second time', async () => {
    const database = await openDatabase(await createLocation())
    expect(await migrate(database)).toEqual(names)
    expect(await migrate(database)).toEqual([])
    await database.close()
  })

  it('runs once in four concurrent processes', async () => {
    const location = JSON.stringify(await createLocation())
    const processes = Array.from({ length: 4 }, () => startNode('test/databases/migrate-once.ts', [location]))
    const outputs = await Promise.all(
      processes.map(async (one) => [await one.exited, one.output().trim()] as const),
    )
    expect(
      outputs.map(([exitCode]) => exitCode),
      JSON.stringify(outputs),
    ).toEqual([0, 0, 0, 0])
    const didTheWork = names.join(' ')
    expect(outputs.map(([, output]) => output).sort()).toEqual([didTheWork, 'none', 'none', 'none'])
  })

  it('leaves an empty database', async () => {
    const database = await createDatabase()
    expect(await database.read.selectFrom('features').selectAll().execute()).toEqual([])
  })
})
