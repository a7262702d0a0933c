import { z } from 'zod'
import {
  type CustomFieldType,
  customFieldTypes,
  type FieldVisibility,
  fieldVisibilities,
  maxCustomFields,
  maxOwnChoices,
  ownHelpLength,
  ownLabelLength,
} from '#domain/definition/custom-field.ts'
import { type Fields, singleFields } from '#domain/definition/definition.ts'
import { recordOf } from '#domain/definition/kinds.ts'
import { mapId, ownKey, text } from '#domain/values/common.schema.ts'
import { foldText } from '#domain/values/text.ts'
import { type DefinedKind, definedKinds, definitions } from './definitions.ts'

const label = (maxLength: number) =>
  text(maxLength).refine((value) => value.trim() !== '' && value === value.trim(), {
    message: 'must not be empty, or start or end with a space',
  })

const choice = z.strictObject({
  key: ownKey.meta({ description: 'Stored as the value. Cannot be changed' }),
  label: label(ownLabelLength),
})

const customField = z
  .strictObject({
    key: ownKey.meta({ description: 'Identifies the values of the field. Cannot be changed' }),
    label: label(ownLabelLength),
    type: z
      .enum(Object.keys(customFieldTypes) as CustomFieldType[])
      .meta({ description: 'Cannot be changed' }),
    choices: z.array(choice).max(maxOwnChoices).meta({ description: 'Empty unless the type is choice' }),
    isRequired: z.boolean().meta({ description: 'New features need a value, and it cannot be cleared' }),
    visibleTo: z
      .enum(Object.keys(fieldVisibilities) as FieldVisibility[])
      .default('staff')
      .meta({
        description: 'Who can see the field. The setting of the map for personal data does not apply',
      }),
    help: text(ownHelpLength).nullable(),
  })
  .superRefine(({ type, choices }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['choices'], message })
    if (type === 'choice' && choices.length === 0) refuse('must have at least one choice')
    if (type !== 'choice' && choices.length > 0) refuse('must be empty unless the type is choice')
    refuseTwice(choices, (path, message) =>
      context.addIssue({ code: 'custom', path: ['choices', ...path], message }),
    )
  })

function refuseTwice(
  items: readonly { key: string; label: string }[],
  refuse: (path: (string | number)[], message: string) => void,
) {
  const taken = new Set<string>()
  for (const [index, item] of items.entries())
    for (const part of ['key', 'label'] as const) {
      const value = `${part} ${foldText(item[part])}`
      if (taken.has(value)) refuse([index, part], `is already in use: ${item[part]}`)
      taken.add(value)
    }
}

export function ourNames(kind: DefinedKind): ReadonlySet<string> {
  const { fields }: { fields: Fields } = definitions[kind]
  return new Set(singleFields(fields).flatMap(([path, field]) => [path, field.label].map(foldText)))
}

function customFieldsOfKind(kind: DefinedKind) {
  return z
    .array(customField)
    .max(maxCustomFields)
    .superRefine((some, context) => {
      const refuse = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message })
      refuseTwice(some, refuse)
      for (const [index, { label }] of some.entries())
        if (ourNames(kind).has(foldText(label)))
          refuse(
            [index, 'label'],
            `is a built-in field of ${definitions[kind].label.many.toLowerCase()}: ${label}`,
          )
    })
}

export const customFieldsChange = z.strictObject({
  fields: z.strictObject(recordOf(definedKinds, customFieldsOfKind)),
})

/** Without the limits of new fields: removed ones may be many and share names. */
const some = z.array(customField)
const customFields = z.object(recordOf(definedKinds, () => some))

export const customFieldsAnswer = z.object({
  mapId,
  version: z.number().int().min(0),
  fields: customFields.meta({ description: 'By kind, in display order' }),
  removed: customFields.meta({
    description:
      'Removed fields, for staff only. Features keep their values, which reappear when you add a field with the same key',
  }),
})
export type CustomFieldsAnswer = z.infer<typeof customFieldsAnswer>
