import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

import type { ResultStatus, TestAttempt, TestError } from '@caseward/reporter-core'

import type { EventPayload, ThrownError } from './webdriverio-types.ts'

/** A test's place in its spec file. Titles may be equal; the row tells such tests apart. */
export interface Place {
  readonly titlePath: readonly string[]
  readonly file: string | undefined
  readonly row: number
}

/** What a test is known by: in every attempt at it the same, also in that of another worker. */
export const testIdOf = ({ titlePath, file, row }: Place): string => JSON.stringify([file ?? '', ...titlePath, row])

/** What came of one attempt at a test. */
export function attemptOf(
  status: ResultStatus,
  payload: EventPayload,
  place: Place,
  tags: readonly string[],
): TestAttempt {
  const errors = errorsOf(payload)
  return {
    testId: testIdOf(place),
    titlePath: place.titlePath,
    file: place.file,
    tags: tags.length === 0 ? undefined : tags,
    status,
    durationMs: payload.duration,
    errors: errors.length === 0 ? undefined : errors,
    remark: payload.pendingReason,
  }
}

/** The errors of a test or hook; Jasmine tells several. */
export function errorsOf({ error, errors }: EventPayload): TestError[] {
  const told = Array.isArray(errors) && errors.length > 0 ? (errors as readonly ThrownError[]) : [error]
  return told.filter((each) => each !== undefined && each !== null).map(errorOf)
}

function errorOf(thrown: ThrownError | string): TestError {
  if (typeof thrown === 'string') return { message: thrown }
  const message = typeof thrown.message === 'string' && thrown.message !== '' ? thrown.message : 'It failed.'
  const stack = typeof thrown.stack === 'string' ? thrown.stack : undefined
  return { message, stack, diff: diffOf(thrown) }
}

function diffOf({ expected, actual }: ThrownError): string | undefined {
  if (expected === undefined && actual === undefined) return undefined
  return `Expected: ${inspect(expected)}\nActual: ${inspect(actual)}`
}

export function tagsOf({ tags }: EventPayload): string[] {
  if (!Array.isArray(tags)) return []
  return tags.flatMap((tag: string | { name?: string }) => (typeof tag === 'string' ? [tag] : [tag.name ?? '']))
}

/** A file relative to the working directory, with forward slashes. */
export function fileOf(file: string | undefined, cwd: string): string | undefined {
  if (typeof file !== 'string' || file === '') return undefined
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  return relative(cwd, resolve(cwd, path)).replaceAll('\\', '/')
}

/**
 * What went wrong when a spec file did not load: WebdriverIO wraps the error in advice, and its stack is in the message.
 */
export function loadErrorOf({ message = '', stack }: ThrownError): TestError {
  const marker = '\nError: '
  const at = message.indexOf(marker)
  if (at === -1) return { message, stack }
  const told = message.slice(at + marker.length)
  return { message: told.split('\n    at ', 1)[0] ?? told, stack: told }
}
