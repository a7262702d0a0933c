const email = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g
/** At least seven digits. */
const phone = /\+?\(?\d(?:[ ().-]{0,2}\d){6,14}/g
const date = /\b\d{4}-\d\d-\d\d\b/g

/** Email addresses and phone numbers in a text that others will read. */
export const personalPartsOf = (text: string): string[] => [
  ...(text.match(email) ?? []),
  ...(text.replaceAll(email, ' ').replaceAll(date, ' ').match(phone) ?? []),
]
