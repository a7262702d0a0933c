import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessRule, accessRules, everyRole, isAllowed, noRole, rolesOfClaim } from './access.ts'

describe('isAllowed', () => {
  const editor = rolesOfClaim(['editor:oak-hills'])
  const manager = rolesOfClaim(['manager:oak-hills'])

  it.each<[rule: AccessRule, visitor: boolean, stranger: boolean, editor: boolean, manager: boolean]>([
    ['public', true, true, true, true],
    ['signed-in', false, true, true, true],
    ['staff', false, false, true, true],
    ['editor', false, false, true, true],
    ['manager', false, false, false, true],
    ['administrator', false, false, false, false],
  ])('%s on their own map', (rule, visitor, stranger, editorAccess, managerAccess) => {
    const roles = [null, noRole, editor, manager]
    expect(roles.map((one) => isAllowed(one, rule, 'oak-hills'))).toEqual([
      visitor,
      stranger,
      editorAccess,
      managerAccess,
    ])
  })

  it.each(['staff', 'editor', 'manager', 'administrator'] as const)(
    '%s: nothing on the map of others',
    (rule) => {
      for (const roles of [editor, manager]) {
        expect(isAllowed(roles, rule, 'elm-park')).toBe(false)
        expect(isAllowed(roles, rule)).toBe(false)
        expect(isAllowed(roles, rule, 'toString')).toBe(false)
      }
    },
  )

  it('allows administrators everything', () => {
    for (const rule of accessRules) expect(isAllowed(everyRole, rule, 'any')).toBe(true)
  })
})

describe('rolesOfClaim', () => {
  it.each<[claim: unknown, roles: object]>([
    [['editor:oak-hills', 'manager:elm-park'], { 'oak-hills': 'editor', 'elm-park': 'manager' }],
    [['manager:oak-hills', 'editor:oak-hills'], { 'oak-hills': 'manager' }],
    [['editor:oak-hills', 'manager:oak-hills'], { 'oak-hills': 'manager' }],
    ['editor:oak-hills', { 'oak-hills': 'editor' }],
    [['owner:oak-hills', 'editor', 'editor:', 7, null, { editor: 'x' }], {}],
    [undefined, {}],
    [null, {}],
    [{ administrator: true }, {}],
  ])('%j', (claim, ofMaps) => {
    expect(rolesOfClaim(claim)).toEqual({ isAdministrator: false, ofMaps })
  })

  it.each(['administrator', ['administrator'], ['editor:a', 'administrator']])('%j', (claim) => {
    expect(rolesOfClaim(claim).isAdministrator).toBe(true)
  })

  it('returns an administrator for no other claim', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (claim) => {
        fc.pre(!JSON.stringify(claim).includes('"administrator"'))
        expect(rolesOfClaim(claim).isAdministrator).toBe(false)
      }),
    )
  })
})
