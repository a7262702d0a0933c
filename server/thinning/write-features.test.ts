import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '#test/server/processes.ts'

const door = [
  'server/imports/publishing/publish.queries.ts',
  'server/thinning/keep-ranks.queries.ts',
  'server/thinning/rank-map.queries.ts',
  'server/thinning/write-features.queries.ts',
]

const writes = /(insertInto|updateTable|deleteFrom)\('features'\)|(insert into|update|delete from) features\b/

it('only these modules write features: otherwise ranks, counts and extents would be wrong', () => {
  const files = readdirSync(join(projectFolder, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `server/${path}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => !path.startsWith('server/database/migrations/'))
  const writers = files.filter((path) => writes.test(readFileSync(join(projectFolder, path), 'utf8')))
  expect(writers.sort()).toEqual(door)
})
