import { buffer } from 'node:stream/consumers'

import type { FileStore } from '../../platform/files/file-store.ts'

const HEAD_BYTES = 65_536

/** Reads the first 64 KB of a content, to detect its type. */
export async function readHead(store: FileStore, name: string, byteCount: number): Promise<Buffer> {
  return await buffer(await store.read(name, { start: 0, end: Math.min(byteCount, HEAD_BYTES) - 1 }))
}
