import { expect, it } from 'vitest'
import type { FoundProblem } from '#domain/land-check/land-check.schema.ts'
import { isOfProblem, middleOf } from './problems.ts'

it('marks a place only while it has a problem', () => {
  const [one, other] = [
    [-111, 34, -110.9, 34.1],
    [-111, 34, -110.8, 34.1],
  ].map((box) => ({ box }) as FoundProblem) as [FoundProblem, FoundProblem]
  const place = middleOf(one.box)
  expect(isOfProblem([other, one], place)).toBe(true)
  expect(isOfProblem([other], place)).toBe(false)
})
