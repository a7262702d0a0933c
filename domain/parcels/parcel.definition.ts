import { ownValuesField } from '#domain/definition/custom-field.ts'
import { define } from '#domain/definition/definition.ts'
import { kindLabels } from '#domain/definition/kinds.ts'
import { descriptionField, nameField } from '#domain/definition/shared-fields.ts'

/** Section 3 of the specification, in the order of the details. */
export const parcelDefinition = define({
  kind: 'parcel',
  label: kindLabels.parcel,
  shapes: ['polygon'],
  fields: {
    name: { ...nameField, names: ['title', 'parcelname', 'label'] },
    description: descriptionField,
    owner: {
      label: 'Owner',
      section: 'Ownership',
      value: { type: 'line', maxLength: 300 },
      isPersonal: true,
      isSearched: true,
      names: ['ownername'],
    },
    area: {
      label: 'Area',
      help: 'As recorded. Leave empty to measure it on the map.',
      section: 'Land',
      nullMeans: 'Measured on the map',
      value: { type: 'number', min: 0, unit: 'acres' },
      isNotCopied: true,
      names: ['acres', 'acreage'],
    },
    buildings: { label: 'Buildings', section: 'Land', value: { type: 'count' }, names: ['buildingcount'] },
    purchaseDate: { label: 'Purchased', section: 'Ownership', value: { type: 'day' } },
    zoning: {
      label: 'Zoning',
      section: 'Zoning',
      value: {
        type: 'group',
        fields: {
          type: {
            label: 'Zoning',
            value: { type: 'line', maxLength: 200 },
            isRequired: true,
            initial: '',
            names: ['zoning'],
          },
          restrictions: { label: 'Restrictions', value: { type: 'prose', maxLength: 2_000 } },
        },
      },
    },
    taxInfo: {
      label: 'Tax',
      section: 'Taxes',
      value: {
        type: 'group',
        fields: {
          annualAmount: {
            label: 'Annual tax',
            value: { type: 'number', unit: 'dollars' },
            names: ['annualtax'],
          },
          lastPaid: { label: 'Tax last paid', value: { type: 'day' }, names: ['taxlastpaid'] },
        },
      },
      isPersonal: true,
    },
    own: ownValuesField,
  },
})
