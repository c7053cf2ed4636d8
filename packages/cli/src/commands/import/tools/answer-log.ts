import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What a tool answered to one request: a part of a list. */
export interface AnswerPage {
  /** What the list is of, such as the id of a run; empty for one of the whole project. */
  readonly of: string
  /** Where the next page begins; null after the last one. */
  readonly next: string | null
  readonly items: readonly unknown[]
  /** The tool says another number of objects than it has answered with, also when it was asked again. */
  readonly differs?: { readonly read: number; readonly total: number }
}

/** The list is read from its beginning: what was read of it before does not count. */
interface Restart {
  readonly of: string
  readonly restart: true
}

interface Place {
  readonly offset: number
  readonly length: number
}

interface List {
  pages: Place[]
  next: string | null
  differs: AnswerPage['differs']
}

const READ_BYTES = 65_536
const LINE_FEED = 10

/**
 * Answers of one endpoint in a file, a page a line, with where the next page begins in the same line: an end at any moment leaves at
 * most half a line, which the next start removes.
 */
class AnswerFile {
  readonly lists = new Map<string, List>()
  #size = 0
  /** Lines are written one after another. */
  #writing: Promise<unknown> = Promise.resolve()
  readonly #handle: FileHandle
  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(path: string): Promise<AnswerFile> {
    const file = new AnswerFile(await open(path, 'a+'))
    await file.#readLines()
    await file.#handle.truncate(file.#size)
    return file
  }

  /** Reads whole lines: what follows the last line feed was being written when the command was ended. */
  async #readLines(): Promise<void> {
    let rest: Buffer = Buffer.alloc(0)
    for (let offset = 0; ;) {
      const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, offset)
      if (bytesRead === 0) return
      offset += bytesRead
      let bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED)) {
        this.#note(JSON.parse(bytes.toString('utf8', 0, end)) as AnswerPage | Restart, end + 1)
        bytes = bytes.subarray(end + 1)
      }
      rest = bytes
    }
  }

  #note(line: AnswerPage | Restart, length: number): void {
    const place = { offset: this.#size, length }
    this.#size += length
    if ('restart' in line) {
      this.lists.delete(line.of)
      return
    }
    const pages = this.lists.get(line.of)?.pages ?? []
    pages.push(place)
    this.lists.set(line.of, { pages, next: line.next, differs: line.differs })
  }

  append(line: AnswerPage | Restart): Promise<void> {
    const writing = this.#write(line, this.#writing)
    this.#writing = writing.catch(() => undefined)
    return writing
  }

  async #write(line: AnswerPage | Restart, previous: Promise<unknown>): Promise<void> {
    await previous
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    await this.#handle.appendFile(bytes)
    this.#note(line, bytes.length)
  }

  async *pages(of: string): AsyncGenerator<AnswerPage> {
    for (const { offset, length } of this.lists.get(of)?.pages ?? []) {
      const { buffer } = await this.#handle.read(Buffer.alloc(length), 0, length, offset)
      yield JSON.parse(buffer.toString()) as AnswerPage
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

const ENDING = '.ndjson'
const collator = new Intl.Collator('en', { numeric: true })

/** All answers of a tool, in a directory. */
export class AnswerLog {
  readonly #directory: string
  readonly #files = new Map<string, Promise<AnswerFile>>()
  constructor(directory: string) {
    this.#directory = directory
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    await this.close()
    await rm(this.#directory, { recursive: true, force: true })
  }

  #open(name: string): Promise<AnswerFile> {
    const known = this.#files.get(name)
    if (known !== undefined) return known
    const opened = mkdir(this.#directory, { recursive: true }).then(() =>
      AnswerFile.open(join(this.#directory, `${name}${ENDING}`)),
    )
    this.#files.set(name, opened)
    return opened
  }

  /** @returns where a list goes on: undefined for one that has not begun, null for a complete one */
  async findNext(name: string, of: string): Promise<string | null | undefined> {
    return (await this.#open(name)).lists.get(of)?.next
  }

  async append(name: string, line: AnswerPage | Restart): Promise<void> {
    await (await this.#open(name)).append(line)
  }

  /** Reads a list in its order, each object once: pages shift while a list is read. */
  async *items(name: string, of: string): AsyncGenerator {
    const seen = new Set<string>()
    for await (const { items } of (await this.#open(name)).pages(of)) {
      for (const item of items) {
        const id = getOwnId(item)
        if (id !== null && seen.has(id)) continue
        if (id !== null) seen.add(id)
        yield item
      }
    }
  }

  /** What lists there are of an endpoint, in an order that does not depend on which of them was read first. */
  async listOf(name: string): Promise<string[]> {
    return [...(await this.#open(name)).lists.keys()].toSorted(collator.compare)
  }

  /** Where the tool says another number than it has answered with. */
  async findDifference(name: string, of: string): Promise<AnswerPage['differs']> {
    return (await this.#open(name)).lists.get(of)?.differs
  }

  /** The names of all endpoints that were asked. */
  async listNames(): Promise<string[]> {
    await mkdir(this.#directory, { recursive: true })
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(ENDING))
    return names.map((name) => name.slice(0, -ENDING.length)).toSorted()
  }

  async close(): Promise<void> {
    const files = [...this.#files.values()]
    this.#files.clear()
    for (const file of files) await (await file).close()
  }
}

/** By what tools recognize an object of a list. */
const ID_FIELDS = ['id', 'hash', 'issueId'] as const

/** Returns by what an object of a list is recognized; null for nothing. */
export function getOwnId(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null
  const object = item as Readonly<Record<string, unknown>>
  const id = ID_FIELDS.map((name) => object[name]).find(
    (value) => typeof value === 'number' || typeof value === 'string',
  )
  return id === undefined ? null : String(id)
}
