import { define } from '#domain/definition/definition.ts'
import { kindLabels, operationalStatusLabels } from '#domain/features/kinds.ts'
import { assetTypeLabels } from './asset-types.ts'

/** Section 3 of the specification, in the order of the details. */
export const assetDefinition = define({
  kind: 'asset',
  label: kindLabels.asset,
  fields: {
    name: {
      label: 'Name',
      value: { type: 'line', maxLength: 300 },
      isRequired: true,
      column: 'name',
      isSearched: true,
      names: ['title'],
    },
    description: {
      label: 'Description',
      value: { type: 'prose', maxLength: 20_000 },
      isRequired: true,
      initial: '',
      column: 'description',
      isSearched: true,
      names: ['desc'],
    },
    status: {
      label: 'Status',
      value: { type: 'choice', choices: operationalStatusLabels },
      isRequired: true,
      initial: 'operational',
      column: 'status',
    },
    type: {
      label: 'Type',
      value: { type: 'choice', choices: assetTypeLabels },
      column: 'type',
      isSearched: true,
      names: ['assettype'],
    },
    installDate: {
      label: 'Installed',
      value: { type: 'day' },
      names: ['installed', 'dateinstalled', 'installationdate'],
    },
    lastMaintenance: {
      label: 'Last maintenance',
      value: { type: 'day' },
      names: ['lastmaintained', 'lastmaintenancedate'],
    },
    // A parcel's id elsewhere is hardly ever its id here.
    parcelId: { label: 'Parcel', value: { type: 'reference', to: 'parcel' }, isNamedOnly: true },
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
    },
  },
})
