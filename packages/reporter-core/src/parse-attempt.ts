import { ATTEMPT_STATUSES, type AttemptStatus } from '@caseward/matching/attempt'

import { parseSpooledFiles } from './spooled-file.ts'
import type { Attachment, RecordedAttempt, SuiteError, TestError, TestStep } from './test-attempt.ts'

/*
 * Values from a framework's internals, or from a file that a user can edit, may not match their types. They are copied
 * into plain values here, so that later code can rely on the types.
 */

/** A note has at most 65,536 characters of at most two UTF-16 units. Longer texts are not stored. */
const MAX_TEXT_LENGTH = 2 * 65_536
const MAX_ERRORS = 100

/** What earlier versions wrote to their journals. */
const EARLIER_STATUSES: Readonly<Record<string, AttemptStatus>> = { retest: 'interrupted', not_tested: 'skipped' }

/**
 * Parses an attempt. Returns null when it has no status, or neither an id nor a title; ignores other invalid fields.
 * @throws any error that a getter of the value throws
 */
export function parseAttempt(value: unknown): RecordedAttempt | null {
  if (!isRecord(value)) return null
  const status = parseStatus(value['status'])
  const titlePath = parseTexts(value['titlePath']) ?? []
  const testId = parseText(value['testId']) ?? titlePath.join('\0')
  if (status === undefined || (testId === '' && titlePath.length === 0)) return null
  const { durationMs, errors, isContainer, replacesResult } = value
  return {
    testId,
    titlePath,
    file: parseText(value['file']),
    variant: parseText(value['variant']),
    caseIds: parseTexts(value['caseIds']),
    tags: parseTexts(value['tags']),
    ...toNonEmpty('defects', parseTexts(value['defects']) ?? []),
    ...parseFields(value['fields']),
    status,
    durationMs: isFiniteNumber(durationMs) ? durationMs : undefined,
    errors: Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(parseError) : undefined,
    comment: parseText(value['comment']),
    isContainer: isContainer === true ? true : undefined,
    replacesResult: replacesResult === true ? true : undefined,
    ...toNonEmpty('files', parseSpooledFiles(value['files'])),
    ...toNonEmpty('steps', parseSteps(value['steps'])),
  }
}

const toNonEmpty = <Name extends string, Item>(name: Name, items: Item[]) =>
  (items.length === 0 ? {} : { [name]: items }) as { [Key in Name]?: Item[] }

const MAX_FIELDS = 300

/** Parses values of custom fields; ignores those that are no texts. */
function parseFields(value: unknown): Pick<RecordedAttempt, 'fields'> {
  if (!isRecord(value)) return {}
  const entries = Object.entries(value)
    .slice(0, MAX_FIELDS)
    .flatMap(([key, item]) => (typeof item === 'string' ? [[key, item] as const] : []))
  return entries.length === 0 ? {} : { fields: Object.fromEntries(entries) }
}

/**
 * Parses the files that a test has left; ignores values that are none.
 * @throws any error that a getter of the value throws
 */
export function parseAttachments(value: unknown): Attachment[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    if (!isRecord(item)) return []
    const { path, body, kind } = item
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : undefined
    const file = { path: typeof path === 'string' && path !== '' ? path : undefined, body: content }
    return [{ ...file, name: parseText(item['name']) ?? '', kind: kind === 'trace' ? kind : undefined }]
  })
}

/** Most steps of an attempt that an upload may have, and the greatest depth. */
const MAX_STEPS = 10_000
const MAX_DEPTH = 9

/** Parses steps; ignores values that are none. */
export function parseSteps(value: unknown): TestStep[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MAX_STEPS).flatMap((item: unknown) => {
    if (!isRecord(item)) return []
    const { durationMs, depth } = item
    return [
      {
        title: parseText(item['title']) ?? '',
        status: parseStatus(item['status']) ?? null,
        depth: typeof depth === 'number' && depth >= 0 ? Math.min(MAX_DEPTH, Math.floor(depth)) : 0,
        ...(isFiniteNumber(durationMs) ? { durationMs } : {}),
        ...(item['message'] === undefined ? {} : { message: parseText(item['message']) }),
      },
    ]
  })
}

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

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

function parseStatus(value: unknown): AttemptStatus | undefined {
  if (typeof value !== 'string') return undefined
  const status = Object.hasOwn(EARLIER_STATUSES, value) ? EARLIER_STATUSES[value] : value
  return ATTEMPT_STATUSES.find((known) => known === status)
}

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
