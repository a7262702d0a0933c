import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyRole, noRole } from '#domain/access/access.ts'
import { person as personSchema } from '#domain/access/session.schema.ts'
import { personOf } from './identity-provider.ts'

const issuer = 'https://login.example'
const nameOf = (claims: object) => personOf({ sub: 'ana', ...claims }, issuer, null).name

describe('the name of a person', () => {
  it.each<[claims: object, name: string]>([
    [{ name: 'Ana Ruiz', preferred_username: 'ana', email: 'a@b.example' }, 'Ana Ruiz'],
    [{ preferred_username: 'aruiz', email: 'a@b.example' }, 'aruiz'],
    [{ email: 'a@b.example' }, 'a@b.example'],
    [{}, 'ana'],
    [{ name: '', preferred_username: '  ', email: 7 }, 'ana'],
    [{ name: ['Ana'] }, 'ana'],
    [{ name: '  Ana \n\t Ruiz\u0000 ' }, 'Ana Ruiz'],
    [{ name: 'Ana\u202eziuR' }, 'Ana ziuR'],
    [{ name: 'Ana\ud800' }, 'Ana\ufffd'],
    [{ name: 'x'.repeat(500) }, 'x'.repeat(200)],
    [{ name: '🏡'.repeat(300) }, '🏡'.repeat(200)],
  ])('%j', (claims, name) => {
    expect(nameOf(claims)).toBe(name)
  })
})

it('includes the issuer in the id', () => {
  expect(personOf({ sub: 'ana' }, issuer, null).id).toBe('https://login.example#ana')
})

it('is an administrator without a configured claim, and has no role if the claim is missing', () => {
  expect(personOf({ sub: 'ana' }, issuer, null).roles).toEqual(everyRole)
  expect(personOf({ sub: 'ana' }, issuer, 'roles').roles).toEqual(noRole)
  expect(personOf({ sub: 'ana' }, issuer, 'constructor.name').roles).toEqual(noRole)
})

it('can be stored and read for any claims', () => {
  fc.assert(
    fc.property(fc.object(), fc.jsonValue(), (claims, roles) => {
      const somebody = personOf({ ...claims, sub: 'ana', roles }, issuer, 'roles')
      expect(somebody.name).toMatch(/^[^\p{Cc}\p{Cs}]{1,400}$/u)
      expect(personSchema.parse(JSON.parse(JSON.stringify(somebody)))).toEqual(somebody)
    }),
  )
})
