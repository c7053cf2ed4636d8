import type { ResultItem } from './build-results.ts'

/** The server takes 10 MB (contract, "Limits"); the rest of the body needs little room. */
const LIMIT_BYTES = 9.9 * 1024 * 1024
const LIMIT_ITEMS = 10_000

/**
 * Cuts results into uploads that the server takes, each as large as may be. Without results there is none.
 * @param limitBytes where not even that is taken; a result that is larger goes alone
 */
export function splitUpload(items: readonly ResultItem[], limitBytes = LIMIT_BYTES): ResultItem[][] {
  const uploads: ResultItem[][] = []
  let current: ResultItem[] = []
  let bytes = 0
  for (const item of items) {
    const size = getByteLength(item)
    if (current.length === 0 || bytes + size > limitBytes || current.length === LIMIT_ITEMS) {
      current = []
      bytes = 0
      uploads.push(current)
    }
    current.push(item)
    bytes += size
  }
  return uploads
}

/** Cuts what is left after an upload was refused for its size into smaller ones; null where that was one result. */
export function splitRefusedPart(refused: readonly ResultItem[], rest: readonly ResultItem[][]): ResultItem[][] | null {
  if (refused.length < 2) return null
  const bytes = refused.reduce((sum, item) => sum + getByteLength(item), 0)
  return splitUpload([...refused, ...rest.flat()], bytes / 2)
}

const getByteLength = (item: ResultItem) => Buffer.byteLength(JSON.stringify(item)) + 1
