import type { Advice, Remedy } from '../import-error.ts'

/** What the import says, and which control of the page would help. */
export function inControls({ message, remedy }: Advice): string {
  const help = remedy && describe(remedy)
  return help ? `${message} ${help}` : message
}

function describe(remedy: Remedy): string | undefined {
  switch (remedy.remedy) {
    case 'coordinate-order':
      return remedy.isSwapped
        ? 'Check "Latitude stands before longitude".'
        : 'Uncheck "Latitude stands before longitude".'
    case 'projection':
      return remedy.code ? `Choose the projection ${remedy.code}.` : 'Who made the file knows which one.'
    case 'columns':
      return `Say among the columns which is the ${remedy.fields.join(' and which the ')}. Without a place no row can be on the map.`
    case 'area-unit':
      return 'They must be acres: keep the column beside the fields, and areas are measured on the map.'
    case 'no-area-column':
      return `Keep ${remedy.column} beside the fields, and areas are measured on the map.`
    case 'date-order':
      return 'Choose the order in "File layout".'
    default:
      return undefined
  }
}
