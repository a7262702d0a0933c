import { expect, it } from 'vitest'
import { decidedStates } from '#domain/reports/report-states.ts'
import { standingInWords } from './report-news.ts'

it('tells a reporter different things about different decisions', () => {
  const words = [...decidedStates, 'withdrawn' as const].map((state) =>
    standingInWords({ state, work: null, noteId: null }, 'Leak'),
  )
  expect(new Set(words).size).toBe(6)
})
