/** Saves what is at an address as a file, as a browser does. @param name by default the one that the server gives it */
export function download(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
