// The style sheets repeat these queries. In em, so that a browser with large text gets the layout of a small screen.

/** A narrow screen, or a phone held sideways. */
export const phoneQuery = '(width < 48em), (width <= 60em) and (height <= 31.25em)'

/** A low, wide screen, with the list beside the map. */
export const lowQuery = '(width >= 35em) and (width <= 60em) and (height <= 31.25em)'

/** Sidebars are rails, and bars have no free room beside their titles. */
export const narrowQuery = '(width < 68.75em)'

/** Too narrow for a map beside a table or form. */
export const stackedQuery = '(width < 56.25em), (width <= 60em) and (height <= 31.25em)'

export const fingerQuery = '(pointer: coarse)'
