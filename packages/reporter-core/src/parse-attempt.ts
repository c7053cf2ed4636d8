import type { ResultStatus } from '@caseward/matching/outcome'

import type { SuiteError, TestAttempt, TestError } from './test-attempt.ts'

/*
 * What comes from a framework's insides, or from a file that anybody may have edited, is not always what its type says.
 * It is copied into plain values here, so that nothing after this point can fail because of it.
 */

/** A note keeps 65,536 characters, of at most two units each; what lies beyond is neither kept on disk nor in memory. */
const MAX_TEXT_LENGTH = 2 * 65_536
const MAX_ERRORS = 100

const statuses: ReadonlySet<unknown> = new Set<ResultStatus>(['passed', 'failed', 'blocked', 'retest', 'not_tested'])

/**
 * An attempt, as far as it can be understood; null when it is none: no status, or neither an id nor a title.
 * @throws whatever a getter of the value throws
 */
export function parseAttempt(value: unknown): TestAttempt | null {
  if (!isRecord(value)) return null
  const { status } = value
  const titlePath = readTexts(value['titlePath']) ?? []
  const testId = readText(value['testId']) ?? titlePath.join('\0')
  if (!isStatus(status) || (testId === '' && titlePath.length === 0)) return null
  const { durationMs, errors, isContainer } = value
  return {
    testId,
    titlePath,
    file: readText(value['file']),
    variant: readText(value['variant']),
    caseIds: readTexts(value['caseIds']),
    tags: readTexts(value['tags']),
    status,
    durationMs: typeof durationMs === 'number' && Number.isFinite(durationMs) ? durationMs : undefined,
    errors: Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(readError) : undefined,
    comment: readText(value['comment']),
    isContainer: isContainer === true ? true : undefined,
  }
}

/**
 * An error outside of tests; whatever it is, it is one.
 * @throws whatever a getter of the value throws
 */
export function parseSuiteError(value: unknown): SuiteError {
  const location = isRecord(value) ? readText(value['location']) : undefined
  return { ...readError(value), location: location ?? 'somewhere' }
}

function readError(value: unknown): TestError {
  if (!isRecord(value)) return { message: readText(value) ?? 'An error that says nothing' }
  return {
    message: readText(value['message']) ?? '',
    stack: readText(value['stack']),
    diff: readText(value['diff']),
  }
}

const isStatus = (value: unknown): value is ResultStatus => statuses.has(value)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? value.slice(0, MAX_TEXT_LENGTH) : value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

function readTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.map(readText).filter((text) => text !== undefined)
}
