/** Offers a file to the browser's downloads, named by the card that it comes from. */
export function saveFile(title: string, extension: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = `${title.toLowerCase().replaceAll(/\W+/g, '-')}.${extension}`
  link.click()
  URL.revokeObjectURL(link.href)
}
