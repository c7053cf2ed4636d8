import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** No secret is longer. A wrong path could name a file of any size. */
const MAX_SECRET_FILE_BYTES = 65_536

/** Returns the variable that names a file with the value of a secret setting. */
export const getFileVariable = (variable: string): string => `${variable}_FILE`

/** The text of a secret file, or why there is none, as the end of a sentence. */
export type SecretFile = { text: string; problem?: never } | { text?: never; problem: string }

/** Reads the file of a secret setting. Its last line break is not part of the secret. */
export function readSecretFile(path: string): SecretFile {
  let bytes: Buffer
  try {
    const found = readRegularFile(path)
    if (found === null) return { problem: 'which is not a file' }
    bytes = found
  } catch (error) {
    return { problem: `which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` }
  }
  if (bytes.length > MAX_SECRET_FILE_BYTES) return { problem: 'which is larger than 64 KB' }
  if (!isUtf8(bytes)) return { problem: 'which is not UTF-8 text' }
  const text = bytes.toString().replace(/\r?\n$/, '')
  return text === '' ? { problem: 'which is empty' } : { text }
}

/** Reads a file up to one byte more than a secret can have. Returns null for a directory, a pipe or a device. */
function readRegularFile(path: string): Buffer | null {
  const file = openSync(path, 'r')
  try {
    if (!fstatSync(file).isFile()) return null
    const bytes = Buffer.alloc(MAX_SECRET_FILE_BYTES + 1)
    let length = 0
    for (;;) {
      const count = readSync(file, bytes, length, bytes.length - length, null)
      if (count === 0) return bytes.subarray(0, length)
      length += count
    }
  } finally {
    closeSync(file)
  }
}
