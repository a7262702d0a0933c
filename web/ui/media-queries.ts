// The style sheets repeat these queries.

/** A narrow screen, or a phone held sideways. */
export const phoneQuery = '(max-width: 767px), (max-width: 960px) and (max-height: 500px)'

/** A low, wide screen, with the list beside the map. */
export const lowQuery = '(min-width: 560px) and (max-width: 960px) and (max-height: 500px)'

/** Too narrow for a map beside a table or form. */
export const stackedQuery = '(max-width: 899px), (max-width: 960px) and (max-height: 500px)'

export const fingerQuery = '(pointer: coarse)'
