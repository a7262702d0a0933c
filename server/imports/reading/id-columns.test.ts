import { expect, it } from 'vitest'
import { isNamedLikeId } from './survey.ts'

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
