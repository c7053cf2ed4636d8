import { stripCredentials } from '@caseward/ci-run/ci-build'
import type { RunTarget } from '@caseward/ci-run/settings'
import type { SourceSettings } from '@caseward/ci-run/source'

import { isRecord, parseAttempt, parseSuiteError } from './parse-attempt.ts'
import type { Settings } from './settings.ts'
import { parseSpooledFiles, type SpooledFile } from './spooled-file.ts'
import type { RecordedAttempt, SuiteError } from './test-attempt.ts'

/** The first line of a journal: where the results belong. Never contains a token, because journals stay on disk. */
export interface SuiteHeader {
  readonly caseward: 1
  readonly framework: string
  /** Null if no URL was set. */
  readonly url: string | null
  readonly target: RunTarget | null
  readonly shard: string | null
  /** What in CI ran the suite; null in journals of earlier versions. */
  readonly source: SourceSettings | null
  /** Directory of the package within the checkout; null if unknown. */
  readonly module: string | null
  /** Whether test cases are created for tests that match none; undefined in journals of earlier versions. */
  readonly createCases?: boolean | undefined
  /** Whether test cases that match are added to the run; undefined: as the run says. */
  readonly addToRun?: boolean | undefined
  /** Milliseconds since 1970, like all times in a journal. */
  readonly startedAt: number
}

/** Creates the header, which never contains a token, user name or password. */
export function createHeader(
  framework: string,
  settings: Pick<Settings, 'url' | 'target' | 'shard' | 'source' | 'createCases' | 'addToRun'>,
  { module, startedAt }: Pick<SuiteHeader, 'module' | 'startedAt'>,
): SuiteHeader {
  const { url, target, shard, source, createCases, addToRun } = settings
  const publicUrl = url === null ? null : stripCredentials(url)
  return { caseward: 1, framework, url: publicUrl, target, shard, source, module, createCases, addToRun, startedAt }
}

export interface SuiteEndRecord {
  readonly at: number
  readonly interrupted: boolean
}

/** Written before the upload, so that a repeated delivery sends the same. */
export interface DeliveryStart {
  readonly runId: string
  /** ISO time by the server's clock. */
  readonly finishedAt: string
}

/** Files of a suite whose results are stored. */
export interface RemainingFiles {
  readonly runId: string
  readonly files: readonly SpooledFile[]
}

/** All records of one suite. */
export interface SuiteRecord {
  readonly header: SuiteHeader
  readonly attempts: readonly RecordedAttempt[]
  readonly errors: readonly SuiteError[]
  /** Null if the process was killed before the suite ended. */
  readonly ending: SuiteEndRecord | null
  readonly deliveryStart: DeliveryStart | null
  /** What remains to be sent when the results are stored; null before. */
  readonly remainingFiles: RemainingFiles | null
  /** Time of the last attempt or error. */
  readonly lastAt: number
}

/** One line of a journal. */
export type JournalEntry =
  | { readonly attempt: RecordedAttempt; readonly at: number }
  | { readonly error: SuiteError; readonly at: number }
  | { readonly ending: SuiteEndRecord }
  | { readonly deliveryStart: DeliveryStart }
  | { readonly remainingFiles: RemainingFiles }

/**
 * Parses a journal: JSON lines, the header first. An attempt that cannot be parsed becomes an error of the suite. Ignores
 * other lines that cannot be parsed: an incomplete last line belongs to a suite without an ending, which is reported.
 * @returns `unreadable` when the header cannot be parsed, `newer-version` when a later version of this package wrote it
 */
export function parseRecord(text: string): SuiteRecord | 'unreadable' | 'newer-version' {
  const [headerLine = '', ...lines] = text.replace(/^\uFEFF/, '').split('\n')
  const headerFields = parseLine(headerLine)
  if (headerFields === null) return 'unreadable'
  if (typeof headerFields['caseward'] === 'number' && headerFields['caseward'] > 1) return 'newer-version'
  const header = parseHeader(headerFields)
  if (header === null) return 'unreadable'
  const entries = lines.map((line) => parseEntry(parseLine(line), header)).filter((entry) => entry !== null)
  return toSuiteRecord(header, entries)
}

export function toSuiteRecord(header: SuiteHeader, entries: readonly JournalEntry[]): SuiteRecord {
  const times = entries.flatMap((entry) => ('at' in entry ? [entry.at] : []))
  return {
    header,
    attempts: entries.flatMap((entry) => ('attempt' in entry ? [entry.attempt] : [])),
    errors: entries.flatMap((entry) => ('error' in entry ? [entry.error] : [])),
    ending: entries.flatMap((entry) => ('ending' in entry ? [entry.ending] : [])).at(-1) ?? null,
    deliveryStart: entries.flatMap((entry) => ('deliveryStart' in entry ? [entry.deliveryStart] : [])).at(-1) ?? null,
    remainingFiles:
      entries.flatMap((entry) => ('remainingFiles' in entry ? [entry.remainingFiles] : [])).at(-1) ?? null,
    lastAt: times.reduce((latest, time) => Math.max(latest, time), header.startedAt),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Parses a line of a journal; null if it is not an object in JSON. */
export function parseLine(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function parseHeader({
  caseward,
  framework,
  url,
  target,
  shard,
  source,
  module,
  createCases,
  addToRun,
  startedAt,
}: Fields): SuiteHeader | null {
  if (caseward !== 1 || typeof framework !== 'string' || !isTime(startedAt)) return null
  if (!isTextOrNull(url) || !isTextOrNull(shard)) return null
  const runTarget = target === null ? null : parseTarget(target)
  return runTarget === undefined
    ? null
    : {
        caseward,
        framework,
        url,
        target: runTarget,
        shard,
        source: parseSource(source),
        module: typeof module === 'string' ? module : null,
        createCases: typeof createCases === 'boolean' ? createCases : undefined,
        addToRun: typeof addToRun === 'boolean' ? addToRun : undefined,
        startedAt,
      }
}

function parseSource(value: unknown): SourceSettings | null {
  if (!isRecord(value)) return null
  const read = (name: string) => (typeof value[name] === 'string' ? value[name] : '')
  const { buildAttempt } = value
  return {
    job: read('job'),
    instance: read('instance'),
    buildAttempt: Number.isSafeInteger(buildAttempt) && Number(buildAttempt) >= 1 ? Number(buildAttempt) : null,
    variant: read('variant'),
    label: read('label'),
    jobUrl: read('jobUrl'),
  }
}

function parseTarget(value: unknown): RunTarget | undefined {
  if (!isRecord(value)) return undefined
  const { kind, id, projectId, key, name, metadata, fields, expectedShards, job } = value
  if (kind === 'run') return typeof id === 'string' ? { kind, id } : undefined
  if (kind !== 'key' || typeof projectId !== 'string' || typeof key !== 'string') return undefined
  return {
    kind,
    projectId,
    key,
    name: typeof name === 'string' ? name : key,
    metadata: isRecord(metadata) ? Object.fromEntries(Object.entries(metadata).filter(isTextEntry)) : {},
    ...(isRecord(fields) ? { fields: Object.fromEntries(Object.entries(fields).filter(isTextEntry)) } : {}),
    expectedShards: typeof expectedShards === 'number' && expectedShards > 0 ? expectedShards : null,
    job: typeof job === 'string' ? job : '',
  }
}

function parseEntry(fields: Fields | null, { framework, startedAt }: SuiteHeader): JournalEntry | null {
  if (fields === null) return null
  const { attempt, error, ending, deliveryStart, remainingFiles, at } = fields
  if (attempt !== undefined) {
    const parsed = parseAttempt(attempt)
    return isTime(at) && parsed !== null
      ? { attempt: parsed, at }
      : { error: { location: framework, message: UNREADABLE_RESULT }, at: isTime(at) ? at : startedAt }
  }
  if (isTime(at) && error !== undefined) return { error: parseSuiteError(error), at }
  if (isRecord(ending) && isTime(ending['at'])) {
    return { ending: { at: ending['at'], interrupted: ending['interrupted'] === true } }
  }
  if (isRecord(remainingFiles) && typeof remainingFiles['runId'] === 'string') {
    return {
      remainingFiles: { runId: remainingFiles['runId'], files: parseSpooledFiles(remainingFiles['files']) },
    }
  }
  if (!isRecord(deliveryStart)) return null
  const { runId, finishedAt } = deliveryStart
  const isComplete = typeof runId === 'string' && typeof finishedAt === 'string' && isTime(Date.parse(finishedAt))
  return isComplete ? { deliveryStart: { runId, finishedAt } } : null
}

/** The message of an error of the suite. */
export const UNREADABLE_RESULT = 'A test result could not be read'

/** Accepts times up to the year 9999, because the server cannot parse later ones. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 253_402_300_800_000

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

const isTextEntry = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
