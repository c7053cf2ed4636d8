import type { ImportFile } from '../input/import-file.ts'
import type { Losses } from '../losses.ts'
import type { ImportRecord } from '../records.ts'
import { toContentPath } from './caseward/read-attachments.ts'
import { readJsonLines } from './caseward/read-lines.ts'
import { isRaw, type Raw, readNumber, readObjects, readString } from './caseward/read-values.ts'
import type { ReadContext, System } from './format.ts'
import { UnreadValues } from './unread-values.ts'

/** An object that a tool has answered with, and what the list that it was in is of, such as the id of a run. */
export interface Answer {
  readonly of: string
  readonly item: Raw
}

/** A tool whose answers are read. */
export interface AnswerFormat {
  readonly system: System
  read(answers: Answers, context: ReadContext): AsyncIterable<ImportRecord>
}

/** What the command has read by the API of a tool: its answers as they were, by the endpoint. */
export class Answers {
  readonly #files: ReadonlyMap<string, ImportFile>
  readonly #manifest: Raw
  readonly #unread: UnreadValues
  readonly #counted = new Set<string>()
  constructor(system: System, files: ReadonlyMap<string, ImportFile>, manifest: Raw) {
    this.#files = files
    this.#manifest = manifest
    this.#unread = new UnreadValues(system)
  }

  /** Whether only a part of the history was asked for: runs without results can be those that were not. */
  get hasPartOfHistory(): boolean {
    return readString(this.#manifest, 'since') !== ''
  }

  /** The time zone of times that do not tell theirs. */
  get timeZone(): string {
    return readString(this.#manifest, 'time_zone') || 'UTC'
  }

  /** Reads all lists of an endpoint, one object after another. */
  async *read(name: string): AsyncGenerator<Answer> {
    const isFirst = !this.#counted.has(name)
    this.#counted.add(name)
    for await (const line of this.#readLines(name)) {
      if (!isRaw(line['item'])) continue
      if (isFirst) this.#unread.count(name, line['item'])
      yield { of: readString(line, 'of'), item: line['item'] }
    }
  }

  /** What the lists of an endpoint are of, empty ones as well. */
  async listOf(name: string): Promise<Set<string>> {
    const lists = new Set<string>()
    for await (const line of this.#readLines(name)) lists.add(readString(line, 'of'))
    return lists
  }

  async *#readLines(name: string): AsyncGenerator<Raw> {
    const file = this.#files.get(`answers/${name}.ndjson`)
    if (file !== undefined) yield* readJsonLines(file)
  }

  /** Reads all lists of an endpoint into memory. */
  async list(name: string): Promise<Raw[]> {
    const items: Raw[] = []
    for await (const { item } of this.read(name)) items.push(item)
    return items
  }

  /** Reads what an endpoint calls its objects: names, or whatever is asked for, by their id. */
  async names(
    name: string,
    getName: (item: Raw) => string = (item) => toText(item['name']),
  ): Promise<Map<string, string>> {
    return new Map((await this.list(name)).map((item) => [toText(item['id']), getName(item)]))
  }

  /** Counts values of all lists that nothing has read, after everything else was read. */
  async countUnread(losses: Losses): Promise<void> {
    for (const file of this.#files.keys()) {
      const name = /^answers\/(.+)\.ndjson$/.exec(file)?.[1] ?? ''
      if (name === '' || this.#counted.has(name)) continue
      for await (const line of this.#readLines(name)) if (isRaw(line['item'])) this.#unread.count(name, line['item'])
    }
    this.#unread.report(losses)
  }

  /** Counts what the tool has not shown, and files, which the command attaches by itself. */
  async countMissing(losses: Losses): Promise<void> {
    for await (const { of } of this.read('refused')) losses.add('list_refused', { place: of })
    for (const difference of readObjects(this.#manifest, 'differences')) {
      const [read, total] = [readNumber(difference, 'read') ?? 0, readNumber(difference, 'total') ?? 0]
      const place = `${readString(difference, 'name')} ${readString(difference, 'of')}`.trim()
      losses.add('list_differs', { place: `${place}: ${read} of ${total}` })
    }
    for await (const { item } of this.read('files')) {
      // The import attaches pictures of test cases.
      if (toText(item['kind']) === 'case' && this.#files.has(toContentPath(toText(item['sha256'])))) continue
      losses.add('file_beside_bundle', { key: toText(item['key']), title: toText(item['name']) })
    }
  }
}

/** A text, or a number or truth as text; empty for anything else. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : ''
}

/** Epoch seconds as a text that is known to be a time. */
export const toTime = (value: unknown): string =>
  typeof value === 'number' && Math.abs(value) < 1e11 ? new Date(value * 1000).toISOString() : toText(value)

/** A number, or a text that is one; 0 for anything else. */
export function toNumber(value: unknown): number {
  const number = Number(toText(value))
  return Number.isFinite(number) ? number : 0
}
