import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followWork, workStates } from './work-states.ts'

describe('the progress of an incident', () => {
  const open = { resolved: false, workState: null, assignee: null }

  it('resolves the incident, and reopens it', () => {
    expect(followWork(open, { ...open, workState: 'resolved' })?.resolved).toBe(true)
    const resolved = { ...open, resolved: true, workState: 'resolved' as const }
    expect(followWork(resolved, { ...resolved, workState: 'reopened' })?.resolved).toBe(false)
  })

  it('follows when the status changes, and stays empty without any recorded progress', () => {
    const started = { ...open, workState: 'in_progress' as const }
    expect(followWork(started, { ...started, resolved: true })?.workState).toBe('resolved')
    const resolved = { ...open, resolved: true, workState: 'resolved' as const }
    expect(followWork(resolved, { ...resolved, resolved: false })?.workState).toBe('reopened')
    expect(followWork(open, { ...open, resolved: true })?.workState).toBeNull()
  })

  it('follows an assignment and its end, but not that of work in progress', () => {
    const assigned = { ...open, workState: 'assigned' as const, assignee: 'Maya' }
    expect(followWork(open, { ...open, assignee: 'Maya' })).toEqual(assigned)
    expect(followWork(assigned, { ...assigned, assignee: null })?.workState).toBe('accepted')
    const started = { ...assigned, workState: 'in_progress' as const }
    expect(followWork(started, { ...started, assignee: 'Rosa' })?.workState).toBe('in_progress')
  })

  it('is refused if it contradicts the status in the same change', () => {
    expect(followWork(open, { ...open, resolved: true, workState: 'in_progress' })).toBeNull()
    expect(followWork(open, { ...open, resolved: true, workState: 'resolved' })).not.toBeNull()
  })

  it('never contradicts the status, whatever changes in whatever order', () => {
    const change = fc.record(
      {
        resolved: fc.boolean(),
        workState: fc.constantFrom(null, ...workStates),
        assignee: fc.constantFrom(null, 'Maya', 'Rosa'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        let incident: Parameters<typeof followWork>[1] = open
        for (const one of changes) {
          const next = followWork(incident, { ...incident, ...one })
          if (next === null) continue
          if (next.workState) expect(next.resolved).toBe(next.workState === 'resolved')
          incident = next
        }
      }),
    )
  })
})
