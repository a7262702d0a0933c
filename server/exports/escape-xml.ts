/** Text without the characters that XML 1.0 cannot hold at all. */
export const withoutControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

export const escapeXml = (text: string) =>
  withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
