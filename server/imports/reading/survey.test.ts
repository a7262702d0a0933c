import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { FirstRows, idOfDigits, isNamedLikeId } from './survey.ts'

const idOf = (number: number) => createHash('sha256').update(String(number)).digest('hex').slice(0, 16)

it('remembers the first row of each of many ids', () => {
  const firstRows = new FirstRows()
  const ids = [
    '0000000000000000',
    'ffffffffffffffff',
    ...Array.from({ length: 20_000 }, (_, index) => idOf(index)),
  ]
  const claimAll = (offset: number) => ids.map((id, index) => firstRows.claim(idOfDigits(id), index + offset))
  expect(claimAll(1)).toEqual(ids.map(() => undefined))
  expect(claimAll(100_000)).toEqual(ids.map((_, index) => index + 1))
  expect(firstRows.size).toBe(ids.length)
})

it.each([
  'PARCELID',
  'PARCEL_ID',
  'APN',
  'PIN',
  'Lot No',
  'Lot No.',
  'Lot #',
  'Asset ID',
  'assetId',
  'OBJECTID',
  'FID',
  'Number',
  'No',
  'Pole Number',
])('%s is named like an id', (column) => expect(isNamedLikeId(column)).toBe(true))

it.each(['Name', 'Paid', 'Casino', 'House No', 'Phone Number', 'Owner ID', 'Notes', ''])(
  '%s is not named like an id',
  (column) => expect(isNamedLikeId(column)).toBe(false),
)
