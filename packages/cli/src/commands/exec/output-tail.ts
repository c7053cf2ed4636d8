import { stripVTControlCharacters } from 'node:util'

/** How much of the end of an output is kept, in bytes. */
const MAX_BYTES = 256 * 1024

/** Keeps the end of an output. */
export interface OutputTail {
  add(chunk: Buffer): void
  /**
   * Returns the last lines without colors and empty lines at the end.
   * @param clean removes secrets; it gets all lines that were kept, since a secret may have several
   */
  getLines(count: number, clean: (text: string) => string): string[]
}

export function createOutputTail(): OutputTail {
  let chunks: Buffer[] = []
  let size = 0
  let isCut = false
  return {
    add(chunk) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size <= 2 * MAX_BYTES) return
      const end = Buffer.concat(chunks).subarray(-MAX_BYTES)
      chunks = [end]
      size = end.byteLength
      isCut = true
    },
    getLines(count, clean) {
      const whole = stripVTControlCharacters(Buffer.concat(chunks).toString('utf8'))
      // The first line may have lost its beginning, and with it the beginning of a secret.
      const text = isCut ? whole.slice(whole.indexOf('\n') + 1) : whole
      const lines = clean(text).trimEnd().split(/\r?\n/)
      // What a progress bar overwrites is not shown.
      return lines.slice(-count).map((line) => line.slice(line.lastIndexOf('\r') + 1))
    },
  }
}
