const GROUP = 1024

/** So many texts one after another, with where each of them ends. */
interface Group {
  readonly bytes: Buffer
  readonly ends: Uint32Array
}

/**
 * The texts that the cells of a workbook refer to by number. They are kept as bytes: hundreds of thousands of strings take three times
 * the memory, and hold the pieces of the file that they were cut from.
 */
export class SharedTexts {
  readonly #groups: Group[] = []
  #last: string[] = []

  add(text: string): void {
    // Halves of a character at the end of one text and the beginning of the next would become one.
    this.#last.push(text.toWellFormed())
    if (this.#last.length < GROUP) return
    this.#groups.push(pack(this.#last))
    this.#last = []
  }

  /** The text with a number, from 0; '' if there is none. */
  get(number: number): string {
    const group = this.#groups[Math.floor(number / GROUP)]
    const place = number % GROUP
    if (group === undefined) return this.#last[number - this.#groups.length * GROUP] ?? ''
    return group.bytes.toString('utf8', place === 0 ? 0 : group.ends[place - 1], group.ends[place])
  }
}

function pack(texts: readonly string[]): Group {
  let end = 0
  const ends = Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text)))
  return { bytes: Buffer.from(texts.join('')), ends }
}
