import { download } from '../../download.ts'

/** Lets the browser save a file. */
export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  download(url, name)
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Makes a name for a file of texts that may contain anything: `Web shop test cases 2026-11-21.csv`. */
export function buildFileName(parts: readonly string[], extension: string, day = new Date()): string {
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'))
  const name = [...parts, date.join('-')].join(' ')
  // Characters that file systems refuse.
  const safe = name
    .replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${safe.replace(/^[. ]+/, '')}.${extension}`
}
