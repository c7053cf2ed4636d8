import type { ResultItem } from './results-of.ts'

/** The server takes 10 MB (contract, "Limits"); the rest of the body needs little room. */
const LIMIT_BYTES = 9.9 * 1024 * 1024
const LIMIT_ITEMS = 10_000

/** Cuts results into uploads that the server takes, each as large as may be. Without results there is none. */
export function splitUpload(items: readonly ResultItem[]): ResultItem[][] {
  const uploads: ResultItem[][] = []
  let current: ResultItem[] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    if (current.length === 0 || bytes + size > LIMIT_BYTES || current.length === LIMIT_ITEMS) {
      current = []
      bytes = 0
      uploads.push(current)
    }
    current.push(item)
    bytes += size
  }
  return uploads
}
