/** What the land and its weather are called where an association lies; texts speak in these words. */
export type LocalWords = {
  creek: string
  rise: string
  pond: string
  park: string
  /** With their article: 'a ponderosa pine'. */
  trees: readonly string[]
  /** With their article: 'a monsoon storm'. */
  storm: string
  wildlife: readonly string[]
  grass: string
}
