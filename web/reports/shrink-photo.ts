/** As long as the large version that the server makes. */
const longestPixels = 2048
const quality = 0.82

/** Smaller photos arrive over slow connections. Photos that the browser cannot decode are sent as they are. */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, longestPixels / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    return made && made.size < file.size ? made : file
  } catch {
    return file
  }
}
