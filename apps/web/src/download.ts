/** Saves what the server answers as a file, which the server names: the browser writes it to the disk while it comes. */
export function download(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}
