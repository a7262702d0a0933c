// What the page is looked at with, and pressed with. The style sheets have the same.

/** As narrow as a phone, or a phone on its side. */
export const phoneQuery = '(max-width: 767px), (max-width: 960px) and (max-height: 500px)'

/** So low and wide that a list has room beside a map rather than below it. */
export const lowQuery = '(min-width: 560px) and (max-width: 960px) and (max-height: 500px)'

export const fingerQuery = '(pointer: coarse)'
