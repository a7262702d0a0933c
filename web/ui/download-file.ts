/** Gives the person a file that the page has made itself, or that came to it. */
export function downloadFile(fileName: string, file: Blob) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}

export const downloadText = (fileName: string, type: string, text: string) =>
  downloadFile(fileName, new Blob([text], { type }))
