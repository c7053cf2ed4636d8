import type { OpenableFile } from './shown-file.ts'

/** Returns the address with which a browser saves a file. */
export const getDownloadUrl = ({ url }: Pick<OpenableFile, 'url'>): string =>
  `${url}${url.includes('?') ? '&' : '?'}download=1`

/** Saves a file as a browser does, under its name. */
export function downloadFile(file: Pick<OpenableFile, 'url' | 'name'>): void {
  const link = document.createElement('a')
  link.href = getDownloadUrl(file)
  link.download = file.name
  link.click()
}
