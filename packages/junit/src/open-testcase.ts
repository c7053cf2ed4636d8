import { detachString } from './clean-text.ts'
import { parseElapsedSeconds } from './elapsed-seconds.ts'
import type { AttemptDetail, AttemptEvidence, NamedFile, SuiteContext, TestAttempt } from './test-attempt.ts'
import { readAttributeStatus } from './test-status.ts'
import type { Attributes } from './xml-parser.ts'

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

/** How many details of a test are kept. Real tests have a few; copying a million would block the event loop. */
const MAX_DETAILS = 1000

/** Shared by all attempts without ids or details, to save memory. Never written to. */
const NONE: never[] = []

/** Of tests outside of suites. */
export const NO_CONTEXT: Mutable<SuiteContext> = {
  names: [],
  file: '',
  hostname: '',
  variant: '',
  files: NONE,
  dialect: null,
}

/** A `<testcase>` element that is being read. */
export interface OpenTestcase {
  /** Its number in the report, from 1. */
  readonly number: number
  readonly attempt: Mutable<TestAttempt>
  readonly depth: number
  readonly start: number
  /** Whether an element says how the test ended: attributes count only without one. */
  isDecided: boolean
  /** Its output, if that is kept; null before any was read. */
  output: string | null
}

interface AttemptPosition {
  suite: { readonly number: number; readonly context: SuiteContext } | undefined
  line: number
  cleanName(value: string | undefined): string
}

const MAX_TIMESTAMP_LENGTH = 50

/** Reads the attributes of a `<testcase>`. */
export function createAttempt(
  attributes: Attributes,
  { suite, line, cleanName }: AttemptPosition,
): Mutable<TestAttempt> {
  const { status, unknown } = readAttributeStatus(attributes)
  return {
    name: cleanName(attributes['name']),
    classname: cleanName(attributes['classname'] ?? attributes['class']),
    suite: suite?.number ?? 0,
    context: suite?.context ?? NO_CONTEXT,
    file: cleanName(attributes['file'] ?? attributes['filepath']),
    startedAt: attributes['timestamp']?.slice(0, MAX_TIMESTAMP_LENGTH) ?? null,
    status,
    unknownStatus: unknown,
    retryMark: null,
    isFlaky: false,
    elapsedSeconds: parseElapsedSeconds(attributes['time']),
    details: NONE,
    caseIds: NONE,
    evidence: null,
    line,
  }
}

/** An element says how the test ended, and the attributes do not count. */
function decide(testcase: OpenTestcase): void {
  if (testcase.isDecided) return
  testcase.isDecided = true
  testcase.attempt.status = 'passed'
  testcase.attempt.unknownStatus = null
}

/** Marks a test as interrupted, unless an element says that it failed. */
export function interrupt(testcase: OpenTestcase): void {
  decide(testcase)
  if (testcase.attempt.status !== 'failed') testcase.attempt.status = 'interrupted'
}

export function addDetail(testcase: OpenTestcase, detail: AttemptDetail): void {
  const { attempt } = testcase
  if (attempt.details === NONE) attempt.details = [detail]
  else if (attempt.details.length < MAX_DETAILS) attempt.details.push(detail)
  else markAsTruncated(attempt.details.at(-1))
  const { kind } = detail
  if (kind === 'failure' || kind === 'error' || kind === 'skipped') decide(testcase)
  if (kind === 'failure' || kind === 'error') attempt.status = 'failed'
  else if (kind === 'skipped' && attempt.status === 'passed') attempt.status = 'skipped'
  const wasFlaky = attempt.isFlaky || kind === 'flakyFailure' || kind === 'flakyError'
  attempt.isFlaky = wasFlaky && attempt.status === 'passed'
}

function markAsTruncated(detail: Mutable<AttemptDetail> | undefined): void {
  if (detail !== undefined) detail.isTruncated = true
}

/** Copies the strings of an attempt, so that they do not keep the report in memory. */
export function detachStrings(attempt: Mutable<TestAttempt>): void {
  attempt.name = detachString(attempt.name)
  attempt.classname = detachString(attempt.classname)
  attempt.file = detachString(attempt.file)
  if (attempt.unknownStatus !== null) attempt.unknownStatus = detachString(attempt.unknownStatus)
  if (attempt.startedAt !== null) attempt.startedAt = detachString(attempt.startedAt)
  if (attempt.caseIds !== NONE) attempt.caseIds = attempt.caseIds.map(detachString)
  if (attempt.evidence !== null) attempt.evidence = detachEvidence(attempt.evidence)
  if (attempt.details === NONE) return
  attempt.details = attempt.details.map((detail) => ({
    ...detail,
    type: detachString(detail.type),
    message: detachString(detail.message),
    text: detachString(detail.text),
    ...(detail.files === undefined ? {} : { files: detail.files.map(detachFile) }),
  }))
}

const detachEvidence = ({ files, links, steps, fields }: AttemptEvidence): AttemptEvidence => ({
  files: files.map(detachFile),
  links: links.map(({ kind, url }) => ({ kind, url: detachString(url) })),
  steps: steps.map(({ title, status, message }) => ({
    title: detachString(title),
    status,
    message: detachString(message),
  })),
  fields: fields.map(({ key, value }) => ({ key: detachString(key), value: detachString(value) })),
})

const detachFile = <F extends NamedFile>(file: F): F => ({
  ...file,
  path: detachString(file.path),
  name: file.name === null ? null : detachString(file.name),
})

export function getMutableCaseIds(attempt: Mutable<TestAttempt>): string[] {
  if (attempt.caseIds === NONE) attempt.caseIds = []
  return attempt.caseIds
}
