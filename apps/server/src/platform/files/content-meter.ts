import { createHash } from 'node:crypto'

import { FileStoreError, type WrittenFile } from './file-store.ts'

const HEAD_BYTES = 65_536

/** Measures a content while it is written. */
export interface ContentMeter {
  /** @throws {FileStoreError} `too_large` */
  add(chunk: Uint8Array): void
  finish(): WrittenFile
}

export function createContentMeter(limitBytes: number): ContentMeter {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let headBytes = 0
  let byteCount = 0
  return {
    add(chunk) {
      byteCount += chunk.length
      if (byteCount > limitBytes) throw new FileStoreError('too_large', `The content exceeds ${limitBytes} bytes`)
      hash.update(chunk)
      if (headBytes === HEAD_BYTES) return
      // A copy: the rest of the chunk can be freed.
      const part = Uint8Array.prototype.slice.call(chunk, 0, HEAD_BYTES - headBytes)
      head.push(part)
      headBytes += part.length
    },
    finish: () => ({ byteCount, digest: hash.digest(), head: Buffer.concat(head) }),
  }
}
