import { readFile } from 'node:fs/promises'

import type { RuntimeEnvironment } from './terminal.ts'

/**
 * Reads a file, or standard input when the path is null.
 * @param limitBytes standard input is read up to one byte past this, as its size is not known beforehand
 */
export async function readInput(
  path: string | null,
  stdin: RuntimeEnvironment['stdin'],
  limitBytes = Infinity,
): Promise<Buffer<ArrayBuffer>> {
  if (path !== null) return await readFile(path)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > limitBytes) break
  }
  return Buffer.concat(chunks)
}

/** Describes why a file cannot be read. */
export function describeReadError(error: unknown): string {
  const code = getErrorCode(error)
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied: check the permissions of the file'
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'file not found'
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
}

/** Returns the system's code of an error, such as `ENOENT`. */
export function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
