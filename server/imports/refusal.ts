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
