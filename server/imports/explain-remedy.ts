import type { Advice, Remedy } from './import-error.ts'

export const withFlag = ({ message, remedy }: Advice): string =>
  remedy ? `${message} ${flagFor(remedy)}` : message

export function withControl({ message, remedy }: Advice): string {
  const help = remedy && controlFor(remedy)
  return help ? `${message} ${help}` : message
}

function flagFor(remedy: Remedy): string {
  switch (remedy.remedy) {
    case 'other-map':
      return '--map names the map.'
    case 'other-map-or-new-client':
      return 'Name an existing one with --map, or add --client-name NAME to create a client with this map.'
    case 'other-import':
      return '--list --map ID lists them.'
    case 'coordinate-order':
      return remedy.isSwapped ? 'Add --swap-coordinates.' : 'Leave out --swap-coordinates.'
    case 'projection':
      return remedy.code
        ? `Add --projection ${remedy.code}.`
        : 'Add --projection EPSG:NNNN; the .prj file beside it, or its source, has the number.'
    case 'layer':
      return 'Choose one with --layer NAME.'
    case 'columns':
      return `Name them with ${remedy.fields.map((field) => `--field ${field}=COLUMN`).join(' ')}.`
    case 'area-unit':
      return `Add --area-unit ${remedy.unit ?? 'with sqft, m2, ha or acre'}.`
    case 'no-area-column':
      return `Without --field area=${remedy.column} they are measured on the map.`
    case 'date-order':
      return `Add --dates '${remedy.column}=day-first' or --dates '${remedy.column}=month-first'.`
    case 'compact':
      return 'npm run compact also does it.'
  }
}

function controlFor(remedy: Remedy): string | undefined {
  switch (remedy.remedy) {
    case 'coordinate-order':
      return `${remedy.isSwapped ? 'Check' : 'Uncheck'} "Latitude stands before longitude".`
    case 'projection':
      return remedy.code ? `Choose the projection ${remedy.code}.` : 'The author of the file knows which one.'
    case 'columns':
      return `Choose a column for ${remedy.fields.join(' and ')}. Without a place no row can be on the map.`
    case 'area-unit':
      return 'Areas must be in acres. Keep the column beside the fields, and areas are measured on the map.'
    case 'no-area-column':
      return `Keep ${remedy.column} beside the fields, and areas are measured on the map.`
    case 'date-order':
      return 'Choose the order in "File layout".'
    default:
      return undefined
  }
}
