import type { Advice, Remedy } from '../import-error.ts'

/** What the import says, and how the command line does what would help. */
export function inFlags({ message, remedy }: Advice): string {
  return remedy ? `${message} ${describe(remedy)}` : message
}

function describe(remedy: Remedy): string {
  switch (remedy.remedy) {
    case 'other-map':
      return '--map names the map.'
    case 'other-map-or-new-client':
      return 'Name an existing one with --map, or add --client-name NAME to make a client with this map.'
    case 'other-import':
      return '--list --map ID lists them.'
    case 'coordinate-order':
      return remedy.isSwapped ? 'Add --swap-coordinates.' : 'Leave --swap-coordinates away.'
    case 'projection':
      return remedy.code
        ? `Add --projection ${remedy.code}.`
        : 'Say which with --projection EPSG:NNNN; the .prj file beside it, or its source, has the number.'
    case 'layer':
      return 'Choose one with --layer NAME.'
    case 'columns':
      return `Name them with ${remedy.fields.map((field) => `--field ${field}=COLUMN`).join(' ')}.`
    case 'area-unit':
      return remedy.unit
        ? `Add --area-unit ${remedy.unit}.`
        : 'Say their unit: --area-unit sqft, m2, ha or acre.'
    case 'no-area-column':
      return `Without --field area=${remedy.column} they are measured on the map.`
    case 'date-order':
      return `Add --dates '${remedy.column}=day-first' or --dates '${remedy.column}=month-first'.`
    case 'compact':
      return 'npm run compact does it, too.'
  }
}
