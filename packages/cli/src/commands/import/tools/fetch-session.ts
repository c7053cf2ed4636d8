import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { CommandError } from '../../../command-error.ts'
import { getErrorMessage } from '../../../text.ts'
import { type AnswerLog, getOwnId } from './answer-log.ts'
import { getText, isObject, type Page, type ToolObject } from './answers.ts'
import { forEachConcurrently } from './limiter.ts'
import { RefusedError, type ToolHttp } from './tool-http.ts'

/** Reads the page that begins at a place; null for the first. */
export type ReadPage = (next: string | null) => Promise<Page>

interface ListOptions {
  /** How many objects something else says that the list has. */
  readonly expected?: number | null
}

/** A file at an object of the tool. */
export interface ToolFile {
  /** Id of the file there. */
  readonly id: string
  readonly name: string
  readonly url: string
  /** What it is attached to, by the key that the import gives to the object. */
  readonly kind: 'case' | 'run' | 'result'
  readonly key: string
  /** Whether a text shows it. */
  readonly is_picture?: boolean
}

/** A file of which the bytes are here. */
export interface FetchedFile extends Omit<ToolFile, 'url'> {
  readonly sha256: string
  readonly byte_count: number
}

export interface Failure {
  readonly name: string
  readonly key: string
  readonly reason: string
}

export const FILES = 'files'
const REFUSED = 'refused'
const MAX_FILE_ATTEMPTS = 3

/** Reads lists of a tool into the log, and goes on where an earlier command was ended. */
export class FetchSession {
  readonly http: ToolHttp
  readonly log: AnswerLog
  /** Files that could not be read. */
  readonly failures: Failure[] = []
  readonly #filesDirectory: string
  readonly #onList: (name: string, of: string) => void

  constructor(
    http: ToolHttp,
    log: AnswerLog,
    { filesDirectory, onList }: { filesDirectory: string; onList: (name: string, of: string) => void },
  ) {
    this.http = http
    this.log = log
    this.#filesDirectory = filesDirectory
    this.#onList = onList
  }

  /** Reads a list to its end. One whose length is not what the tool says is read once more. */
  async readList(name: string, of: string, readPage: ReadPage, options: ListOptions = {}): Promise<void> {
    const { expected = null } = options
    for (let isAgain = false; ;) {
      const next = await this.log.findNext(name, of)
      if (next === null) return
      this.#onList(name, of)
      const page = await readPage(next ?? null)
      const line = { of, next: page.next, items: page.items }
      const total = page.total ?? expected
      if (page.next !== null || total === null) {
        await this.log.append(name, line)
        continue
      }
      const read = await this.#countItems(name, of, page.items)
      if (read === total) await this.log.append(name, line)
      else if (isAgain) await this.log.append(name, { ...line, differs: { read, total } })
      else {
        isAgain = true
        await this.log.append(name, { of, restart: true })
      }
    }
  }

  async #countItems(name: string, of: string, last: readonly unknown[]): Promise<number> {
    const ids = new Set<string>()
    let nameless = 0
    const add = (item: unknown) => {
      const id = getOwnId(item)
      if (id === null) nameless += 1
      else ids.add(id)
    }
    for await (const item of this.log.items(name, of)) add(item)
    for (const item of last) add(item)
    return ids.size + nameless
  }

  /** Reads a list that a tool may not have, or not show to everyone. @returns whether it was read */
  async readOptionalList(name: string, of: string, readPage: ReadPage): Promise<boolean> {
    const id = `${name} ${of}`
    if ((await this.log.findNext(name, of)) === null) {
      for await (const refused of this.log.items(REFUSED, name)) if (getOwnId(refused) === id) return false
      return true
    }
    try {
      await this.readList(name, of, readPage)
      return true
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      await this.log.append(REFUSED, { of: name, next: null, items: [{ id, status: error.status }] })
      await this.log.append(name, { of, next: null, items: [] })
      return false
    }
  }

  /** Reads an optional list for each of several objects. When the first is refused, so would be the others. */
  async readEachOptional(
    name: string,
    ids: readonly string[],
    readPage: (id: string, next: string | null) => Promise<Page>,
  ): Promise<void> {
    const [first, ...others] = ids
    const read = (id: string) => this.readOptionalList(name, id, (next) => readPage(id, next))
    if (first === undefined || !(await read(first))) return
    await this.readEach(others, async (id) => void (await read(id)))
  }

  /** The ids of objects, in their order; of all lists of an endpoint, or of one. */
  async listIds(name: string, of: string | null = null, field = 'id'): Promise<string[]> {
    const ids: string[] = []
    for await (const item of of === null ? this.all(name) : this.log.items(name, of)) ids.push(getText(item, field))
    return ids
  }

  /** Reads a list for each of several objects, several at a time. */
  async readEach(ids: Iterable<string> | AsyncIterable<string>, read: (id: string) => Promise<void>): Promise<void> {
    await forEachConcurrently(ids, read)
  }

  /** Every object of an endpoint that was read. */
  async *all(name: string): AsyncGenerator<ToolObject> {
    for (const of of await this.log.listOf(name)) {
      for await (const item of this.log.items(name, of)) if (isObject(item)) yield item
    }
  }

  /** Reads the bytes of files to the disk. One that fails three times stops nothing. */
  async readFiles(files: AsyncIterable<ToolFile>): Promise<void> {
    await mkdir(this.#filesDirectory, { recursive: true })
    await forEachConcurrently(files, async (file) => {
      const of = `${file.kind} ${file.key} ${file.id}`
      if ((await this.log.findNext(FILES, of)) === null) return
      this.#onList(FILES, file.name)
      try {
        const { url, ...rest } = file
        const item: FetchedFile = { ...rest, ...(await this.#readFile(url, of)) }
        await this.log.append(FILES, { of, next: null, items: [item] })
      } catch (error) {
        if (error instanceof CommandError && error.code === 'tool_unauthorized') throw error
        this.failures.push({ name: file.name, key: file.key, reason: getErrorMessage(error) })
      }
    })
  }

  /** Saves a file whose bytes came with an answer. */
  async saveFile(file: Omit<ToolFile, 'url'>, bytes: Uint8Array): Promise<void> {
    const of = `${file.kind} ${file.key} ${file.id}`
    if ((await this.log.findNext(FILES, of)) === null) return
    await mkdir(this.#filesDirectory, { recursive: true })
    const partial = this.#getPartialPath(of)
    // oxlint-disable-next-line require-await -- bytes that are there
    const saved = await this.#saveFile(
      (async function* () {
        yield bytes
      })(),
      partial,
    )
    await this.log.append(FILES, { of, next: null, items: [{ ...file, ...saved }] })
  }

  #getPartialPath(of: string): string {
    return join(this.#filesDirectory, `${createHash('sha256').update(of).digest('hex').slice(0, 32)}.part`)
  }

  async #readFile(url: string, of: string): Promise<{ sha256: string; byte_count: number }> {
    const partial = this.#getPartialPath(of)
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.http.download(url, (body) => this.#saveFile(body, partial))
      } catch (error) {
        await rm(partial, { force: true })
        const mayPass = error instanceof CommandError && error.code === 'tool_unavailable'
        if (!mayPass || attempt >= MAX_FILE_ATTEMPTS) throw error
      }
    }
  }

  async #saveFile(body: AsyncIterable<Uint8Array>, partial: string): Promise<{ sha256: string; byte_count: number }> {
    const hash = createHash('sha256')
    let byteCount = 0
    const count = async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        hash.update(piece)
        byteCount += piece.length
        yield piece
      }
    }
    await pipeline(body, count, createWriteStream(partial))
    const sha256 = hash.digest('hex')
    await rename(partial, join(this.#filesDirectory, sha256))
    return { sha256, byte_count: byteCount }
  }
}
