export function downloadFile(fileName: string, file: Blob) {
  const address = URL.createObjectURL(file)
  downloadFrom(address, fileName)
  URL.revokeObjectURL(address)
}

/** As a click on a link: the browser shows the progress. Without a name the server's file name is used. */
export function downloadFrom(address: string, fileName = '') {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

export const downloadText = (fileName: string, type: string, text: string) =>
  downloadFile(fileName, new Blob([text], { type }))
