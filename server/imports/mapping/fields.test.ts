import { expect, it } from 'vitest'
import { fieldsOf, noOwnFields } from '#domain/features/own-fields.ts'
import { fieldLabels } from '#domain/imports/field-labels.ts'
import { fieldsOfKind } from './fields.ts'

it.each(['parcel', 'asset', 'incident'] as const)(
  'labels every field that a column of a %s can fill',
  (kind) => {
    const labels = fieldLabels(fieldsOf(kind, noOwnFields))
    for (const field of Object.keys(fieldsOfKind(kind))) expect(labels.get(field), field).toMatch(/^[A-Z]/)
  },
)
