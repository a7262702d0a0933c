export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const

const pictureAddress = /^data:(image\/(?:png|jpeg|webp|svg\+xml))(;base64)?,(.*)$/s

/** Type and bytes of a picture that is written as a data address; undefined for anything else. */
export function decodePicture(dataAddress: string): { type: string; bytes: Buffer } | undefined {
  const [, type, isBase64, data] = pictureAddress.exec(dataAddress) ?? []
  if (type === undefined || data === undefined) return undefined
  try {
    return { type, bytes: isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data)) }
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}
