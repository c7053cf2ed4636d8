import { download } from '../../download.ts'
import type { OpenableFile } from './shown-file.ts'

/** Returns the address with which a browser saves a file. */
export const getDownloadUrl = ({ url }: Pick<OpenableFile, 'url'>): string =>
  `${url}${url.includes('?') ? '&' : '?'}download=1`

/** Saves a file under its name. */
export const downloadFile = (file: Pick<OpenableFile, 'url' | 'name'>): void =>
  download(getDownloadUrl(file), file.name)
