import type { ResultStatus } from '@caseward/client/endpoints'

import type { SuiteError, TestAttempt, TestError } from './test-attempt.ts'

/*
 * Values from a framework's internals, or from a file that a user can edit, may not match their types. They are copied
 * into plain values here, so that later code can rely on the types.
 */

/** A note has at most 65,536 characters of at most two UTF-16 units. Longer texts are not stored. */
const MAX_TEXT_LENGTH = 2 * 65_536
const MAX_ERRORS = 100

/** Not the client's list: importing it would load all endpoints at the start of a suite. The compiler compares the keys. */
const isResultStatus: Readonly<Record<ResultStatus, true>> = {
  passed: true,
  failed: true,
  blocked: true,
  retest: true,
  not_tested: true,
}

/**
 * Parses an attempt. Returns null when it has no status, or neither an id nor a title; ignores other invalid fields.
 * @throws any error that a getter of the value throws
 */
export function parseAttempt(value: unknown): TestAttempt | null {
  if (!isRecord(value)) return null
  const { status } = value
  const titlePath = parseTexts(value['titlePath']) ?? []
  const testId = parseText(value['testId']) ?? titlePath.join('\0')
  if (!isStatus(status) || (testId === '' && titlePath.length === 0)) return null
  const { durationMs, errors, isContainer } = value
  return {
    testId,
    titlePath,
    file: parseText(value['file']),
    variant: parseText(value['variant']),
    caseIds: parseTexts(value['caseIds']),
    tags: parseTexts(value['tags']),
    status,
    durationMs: typeof durationMs === 'number' && Number.isFinite(durationMs) ? durationMs : undefined,
    errors: Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(parseError) : undefined,
    comment: parseText(value['comment']),
    isContainer: isContainer === true ? true : undefined,
  }
}

/**
 * Parses an error outside of tests. Every value is accepted.
 * @throws any error that a getter of the value throws
 */
export function parseSuiteError(value: unknown): SuiteError {
  const location = isRecord(value) ? parseText(value['location']) : undefined
  return { ...parseError(value), location: location ?? 'unknown location' }
}

function parseError(value: unknown): TestError {
  if (!isRecord(value)) return { message: parseText(value) ?? 'Unknown error' }
  return {
    message: parseText(value['message']) ?? '',
    stack: parseText(value['stack']),
    diff: parseText(value['diff']),
  }
}

const isStatus = (value: unknown): value is ResultStatus =>
  typeof value === 'string' && Object.hasOwn(isResultStatus, value)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function parseText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? value.slice(0, MAX_TEXT_LENGTH) : value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

function parseTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.map(parseText).filter((text) => text !== undefined)
}
