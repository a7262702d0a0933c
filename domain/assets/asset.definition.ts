import { ownValuesField } from '#domain/definition/custom-field.ts'
import { define } from '#domain/definition/definition.ts'
import { kindLabels } from '#domain/definition/kinds.ts'
import {
  descriptionField,
  nameField,
  operationalStatusField,
  parcelField,
} from '#domain/definition/shared-fields.ts'
import { maintenancePlanParts } from '#domain/maintenance/maintenance-plan.ts'
import { assetTypeLabels } from './asset-types.ts'

/** Section 3 of the specification, in the order of the details. */
export const assetDefinition = define({
  kind: 'asset',
  label: kindLabels.asset,
  shapes: ['point', 'line', 'polygon'],
  fields: {
    name: { ...nameField, names: ['title', 'label'] },
    description: descriptionField,
    status: operationalStatusField,
    type: {
      label: 'Type',
      value: { type: 'choice', choices: assetTypeLabels },
      column: 'type',
      isSearched: true,
      names: ['assettype', 'kind', 'category'],
    },
    installDate: {
      label: 'Installed',
      section: 'Upkeep',
      value: { type: 'day' },
      names: ['installed', 'dateinstalled', 'installationdate'],
    },
    lastMaintenance: {
      label: 'Last maintenance',
      section: 'Upkeep',
      value: { type: 'day' },
      isNotCopied: true,
      names: ['lastmaintained', 'lastmaintenancedate'],
      followsFrom: 'its maintenance',
    },
    maintenancePlan: {
      label: 'Maintenance plan',
      section: 'Upkeep',
      value: { type: 'group', fields: maintenancePlanParts },
      isForStaff: true,
    },
    parcelId: parcelField,
    maintenanceHistory: {
      label: 'Maintenance history',
      value: {
        type: 'list',
        shown: 3,
        of: {
          date: { label: 'Date', value: { type: 'day' }, isRequired: true },
          description: {
            label: 'Description',
            value: { type: 'prose', maxLength: 2_000 },
            isRequired: true,
          },
        },
      },
      isRequired: true,
      initial: [],
      followsFrom: 'its maintenance',
    },
    own: ownValuesField,
  },
})
