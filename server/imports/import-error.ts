import { FixableError } from '../domain-error.ts'

/** `explain-remedy.ts` describes it as a flag of the command or a control of the page. */
export type Remedy =
  | { remedy: 'other-map' }
  | { remedy: 'other-map-or-new-client' }
  | { remedy: 'other-import' }
  | { remedy: 'coordinate-order'; isSwapped: boolean }
  | { remedy: 'projection'; code?: string }
  | { remedy: 'layer' }
  | { remedy: 'columns'; fields: readonly string[] }
  | { remedy: 'area-unit'; unit?: string }
  | { remedy: 'no-area-column'; column: string }
  | { remedy: 'date-order'; column: string }
  | { remedy: 'compact' }

export type Advice = { message: string; remedy?: Remedy }

export class ImportError extends FixableError implements Advice {
  readonly remedy?: Remedy
  constructor(message: string, remedy?: Remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** As half a sentence: 'longitude 200 is not between ...'. */
export class Refusal extends Error {}

/** The coordinates are not degrees. Those of the whole file can show what they are. */
export class MisplacedRefusal extends Refusal {
  readonly lng: number
  readonly lat: number
  constructor(reason: string, [lng, lat]: readonly [number, number]) {
    super(reason)
    this.lng = lng
    this.lat = lat
  }
}
