/** Web addresses, with or without a scheme. Not the name of a file, nor a missing space after a full stop. */
const link =
  /\bhttps?:\/\/|\bwww\.|\b[\w-]+\.(?:com|net|org|info|biz|io|co|ru|cn|top|xyz|shop|site|online|club)\b(?:\/|\s|$|[,.!?)])/i

export const hasLink = (text: string): boolean => link.test(text.replaceAll(/[\w.+-]+@[\w.-]+/g, ' '))
