import { FixableError } from '../domain-error.ts'

/** A change that fixes an import. `explain-remedy.ts` describes it as a flag of the command or a control of the page. */
export type Remedy =
  | { remedy: 'other-map' }
  | { remedy: 'other-map-or-new-client' }
  | { remedy: 'other-import' }
  | { remedy: 'coordinate-order'; isSwapped: boolean }
  /** The projection of the coordinates; the code if one fits. */
  | { remedy: 'projection'; code?: string }
  | { remedy: 'layer' }
  | { remedy: 'columns'; fields: readonly string[] }
  | { remedy: 'area-unit'; unit?: string }
  /** Without this column areas are measured on the map. */
  | { remedy: 'no-area-column'; column: string }
  /** Whether the day or the month comes first in a column. */
  | { remedy: 'date-order'; column: string }
  | { remedy: 'compact' }

/** A problem and where it is, with a remedy if there is one. */
export type Advice = { message: string; remedy?: Remedy }

/** A problem with the import as a whole that a person can fix. */
export class ImportError extends FixableError implements Advice {
  readonly remedy?: Remedy
  constructor(message: string, remedy?: Remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** Why a row cannot be imported, as half a sentence: 'longitude 200 is not between ...'. */
export class Refusal extends Error {}

/** The coordinates of a row are no degrees. Those of the whole file can show what they are. */
export class MisplacedRefusal extends Refusal {
  readonly lng: number
  readonly lat: number
  constructor(reason: string, [lng, lat]: readonly [number, number]) {
    super(reason)
    this.lng = lng
    this.lat = lat
  }
}
