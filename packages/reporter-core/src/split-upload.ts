/** The server accepts 10 MB (contract, "Limits"). The difference is for the rest of the request body. */
const MAX_BYTES = 9.9 * 1024 * 1024
const MAX_ITEMS = 100_000

/**
 * Splits tests into the smallest number of uploads within the server's limits. Without tests there is no upload.
 * @param maxBytes limit of a proxy; a larger single test is an upload of its own
 */
export function splitUpload<T>(items: readonly T[], maxBytes = MAX_BYTES): T[][] {
  const uploads: T[][] = []
  let current: T[] = []
  let bytes = 0
  for (const item of items) {
    const size = getByteLength(item)
    if (current.length === 0 || bytes + size > maxBytes || current.length === MAX_ITEMS) {
      current = []
      bytes = 0
      uploads.push(current)
    }
    current.push(item)
    bytes += size
  }
  return uploads
}

/** Splits an upload that was refused because of its size, and the remaining ones; null if it was a single test. */
export function splitRefusedPart<T>(refused: readonly T[], remaining: readonly (readonly T[])[]): T[][] | null {
  if (refused.length < 2) return null
  const bytes = refused.reduce((sum, item) => sum + getByteLength(item), 0)
  return splitUpload([...refused, ...remaining.flat()], bytes / 2)
}

const getByteLength = (item: unknown) => Buffer.byteLength(JSON.stringify(item)) + 1
