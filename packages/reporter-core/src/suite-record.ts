import { isRecord, parseAttempt, parseSuiteError } from './parse-attempt.ts'
import type { RunTarget } from './settings.ts'
import type { SuiteError, TestAttempt } from './test-attempt.ts'

/** Where the results of a suite are to go. Never a token: files outlive those who may read them. */
export interface SuiteHeader {
  readonly caseward: 1
  readonly framework: string
  /** Null when it was not known yet. */
  readonly url: string | null
  readonly target: RunTarget | null
  readonly shard: string | null
  /** Milliseconds since 1970, as all times here. */
  readonly startedAt: number
}

/** How a suite ended. */
export interface SuiteEndRecord {
  readonly at: number
  readonly interrupted: boolean
}

/** Written before the first request, so that a second sending says the same as the first. */
export interface DeliveryStart {
  readonly runId: string
  /** By the server's clock, ISO. */
  readonly finishedAt: string
}

/** All that is known of one suite: what the spool keeps, and what is sent. */
export interface SuiteRecord {
  readonly header: SuiteHeader
  readonly attempts: readonly TestAttempt[]
  readonly errors: readonly SuiteError[]
  /** Null when the process was killed before its end. */
  readonly ending: SuiteEndRecord | null
  readonly deliveryStart: DeliveryStart | null
  /** When the last thing was written. */
  readonly lastAt: number
}

/** One line of a journal. */
export type JournalEntry =
  | { readonly attempt: TestAttempt; readonly at: number }
  | { readonly error: SuiteError; readonly at: number }
  | { readonly ending: SuiteEndRecord }
  | { readonly deliveryStart: DeliveryStart }

/**
 * Reads a journal: JSON lines, the header first. What cannot be read, such as a last line that broke off, is left out:
 * the rest is worth no less for it.
 * @returns `garbled` when even the header cannot be read, `newer` when a later version of this package wrote it
 */
export function parseRecord(text: string): SuiteRecord | 'unreadable' | 'newer-version' {
  const [first = '', ...rest] = text.replace(/^\uFEFF/, '').split('\n')
  const start = parse(first)
  if (start === null) return 'unreadable'
  if (typeof start['caseward'] === 'number' && start['caseward'] > 1) return 'newer-version'
  const header = readHeader(start)
  if (header === null) return 'unreadable'
  const entries = rest.map((line) => readEntry(parse(line))).filter((entry): entry is JournalEntry => entry !== null)
  return toSuiteRecord(header, entries)
}

/** The same, from what a journal holds. */
export function toSuiteRecord(header: SuiteHeader, entries: readonly JournalEntry[]): SuiteRecord {
  const times = entries.flatMap((entry) => ('at' in entry ? [entry.at] : []))
  return {
    header,
    attempts: entries.flatMap((entry) => ('attempt' in entry ? [entry.attempt] : [])),
    errors: entries.flatMap((entry) => ('error' in entry ? [entry.error] : [])),
    ending: entries.flatMap((entry) => ('ending' in entry ? [entry.ending] : [])).at(-1) ?? null,
    deliveryStart: entries.flatMap((entry) => ('deliveryStart' in entry ? [entry.deliveryStart] : [])).at(-1) ?? null,
    lastAt: times.at(-1) ?? header.startedAt,
  }
}

type Fields = Readonly<Record<string, unknown>>

function parse(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function readHeader({ caseward, framework, url, target, shard, startedAt }: Fields): SuiteHeader | null {
  if (caseward !== 1 || typeof framework !== 'string' || !isTime(startedAt)) return null
  if (!isTextOrNull(url) || !isTextOrNull(shard)) return null
  const readable = target === null ? null : readTarget(target)
  return readable === undefined ? null : { caseward, framework, url, target: readable, shard, startedAt }
}

function readTarget(value: unknown): RunTarget | undefined {
  if (!isRecord(value)) return undefined
  const { kind, id, projectId, key, name, metadata, expectedShards } = value
  if (kind === 'run') return typeof id === 'string' ? { kind, id } : undefined
  if (kind !== 'key' || typeof projectId !== 'string' || typeof key !== 'string') return undefined
  return {
    kind,
    projectId,
    key,
    name: typeof name === 'string' ? name : key,
    metadata: isRecord(metadata) ? Object.fromEntries(Object.entries(metadata).filter(isTextEntry)) : {},
    expectedShards: typeof expectedShards === 'number' && expectedShards > 0 ? expectedShards : null,
  }
}

function readEntry(fields: Fields | null): JournalEntry | null {
  if (fields === null) return null
  const { attempt, error, ending, deliveryStart, at } = fields
  if (isTime(at) && attempt !== undefined) {
    const read = parseAttempt(attempt)
    return read === null ? null : { attempt: read, at }
  }
  if (isTime(at) && error !== undefined) return { error: parseSuiteError(error), at }
  if (isRecord(ending) && isTime(ending['at'])) {
    return { ending: { at: ending['at'], interrupted: ending['interrupted'] === true } }
  }
  if (!isRecord(deliveryStart)) return null
  const { runId, finishedAt } = deliveryStart
  const isComplete = typeof runId === 'string' && typeof finishedAt === 'string' && isTime(Date.parse(finishedAt))
  return isComplete ? { deliveryStart: { runId, finishedAt } } : null
}

/** Up to the end of the year 9999: what lies beyond is no time that the server can read. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 253_402_300_800_000

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

const isTextEntry = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
