import { formatList } from '#domain/values/wording.ts'
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
      return 'Use --map to choose another map.'
    case 'other-map-or-new-client':
      return 'Choose an existing map with --map, or add --client-name NAME to create a client with this map.'
    case 'other-import':
      return 'To list imports: --list --map ID.'
    case 'coordinate-order':
      return remedy.isSwapped ? 'Add --swap-coordinates.' : 'Remove --swap-coordinates.'
    case 'projection':
      return remedy.code
        ? `Add --projection ${remedy.code}.`
        : 'Add --projection EPSG:NNNN. Look for the number in the .prj file, or ask the author of the file.'
    case 'layer':
      return 'Choose one with --layer NAME.'
    case 'columns':
      return `Add ${remedy.fields.map((field) => `--field ${field}=COLUMN`).join(' ')}.`
    case 'area-unit':
      return `Add --area-unit ${remedy.unit ?? 'with sqft, m2, ha, or acre'}.`
    case 'no-area-column':
      return `To measure areas on the map, remove --field area=${remedy.column}.`
    case 'date-order':
      return `Add --dates '${remedy.column}=day-first' or --dates '${remedy.column}=month-first'.`
    case 'compact':
      return 'Run npm run compact to try again.'
  }
}

function controlFor(remedy: Remedy): string | undefined {
  switch (remedy.remedy) {
    case 'coordinate-order':
      return `${remedy.isSwapped ? 'Check' : 'Uncheck'} "Swap latitude and longitude".`
    case 'projection':
      return remedy.code ? `Choose the projection ${remedy.code}.` : 'Ask the author of the file which one.'
    case 'columns':
      return `Choose a column for ${formatList(remedy.fields)}. Rows without a location cannot be imported.`
    case 'area-unit':
      return 'Areas must be in acres. To measure them on the map, do not use this column as the area.'
    case 'no-area-column':
      return `To measure areas on the map, do not use ${remedy.column} as the area.`
    case 'date-order':
      return 'Choose the order under "File layout".'
    default:
      return undefined
  }
}
