/** Why one row cannot be imported, as half a sentence about the row: 'longitude 200 is not between ...'. */
export class Refusal extends Error {}
