import { FixableError } from '../domain-error.ts'
import type { Filling } from './mapping/map-columns.ts'
import type { AreaUnit } from './mapping/read-values.ts'

/** What a person can change about an import. Who shows it says how: the command line by a flag, a page by a control. */
export type Remedy =
  | { remedy: 'other-map' }
  | { remedy: 'other-map-or-new-client' }
  | { remedy: 'other-import' }
  | { remedy: 'coordinate-order'; isSwapped: boolean }
  /** What the coordinates are in; without a code nobody knows it but who made the file. */
  | { remedy: 'projection'; code?: string }
  | { remedy: 'layer' }
  | { remedy: 'columns'; fields: readonly string[] }
  | { remedy: 'area-unit'; unit?: AreaUnit }
  /** Without this column areas are measured on the map. */
  | { remedy: 'no-area-column'; column: string }
  /** Whether the day or the month comes first in a column. */
  | { remedy: 'date-order'; column: string }
  | { remedy: 'compact' }

/** What is wrong, and where, in words of the import itself; and what helps, where the import knows. */
export type Advice = { message: string; remedy?: Remedy }

/** A problem with the import as a whole that the person who imports can do something about. */
export class ImportError extends FixableError implements Advice {
  readonly remedy?: Remedy
  constructor(message: string, remedy?: Remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** Why one row cannot be imported, as half a sentence about the row: 'longitude 200 is not between ...'. */
export class Refusal extends Error {}

/** Of a row whose coordinates are no degrees: those of a whole file tell what they are instead. */
export class MisplacedRefusal extends Refusal {
  readonly lng: number
  readonly lat: number
  constructor(reason: string, [lng, lat]: readonly [number, number]) {
    super(reason)
    this.lng = lng
    this.lat = lat
  }
}

/** Of a row with a value that its field cannot take; `filled` is that and what was read before. */
export class UnknownValueRefusal extends Refusal {
  readonly filled: readonly Filling[]
  constructor(reason: string, filled: readonly Filling[]) {
    super(reason)
    this.filled = filled
  }
}
