import { inspect } from 'node:util'

import {
  type AttemptStatus,
  createTestId,
  type TestAttempt,
  type TestError,
  type TestPosition,
  toRelativePath,
} from '@caseward/reporter-core'

import type { EventPayload, ThrownError } from './framework-types.ts'

export function toAttempt(
  status: AttemptStatus,
  payload: EventPayload,
  location: TestPosition,
  tags: readonly string[],
): TestAttempt {
  const errors = getErrors(payload)
  return {
    testId: createTestId(location),
    titlePath: location.titlePath,
    file: location.file,
    tags: tags.length === 0 ? undefined : tags,
    status,
    durationMs: payload.duration,
    errors: errors.length === 0 ? undefined : errors,
    comment: payload.pendingReason,
  }
}

/** Returns the errors of a test or hook. Jasmine reports several. */
export function getErrors({ error, errors }: EventPayload): TestError[] {
  const thrown = Array.isArray(errors) && errors.length > 0 ? (errors as readonly ThrownError[]) : [error]
  return thrown.filter((value) => value !== undefined && value !== null).map(toTestError)
}

function toTestError(thrown: ThrownError | string): TestError {
  if (typeof thrown === 'string') return { message: thrown }
  const message = typeof thrown.message === 'string' && thrown.message !== '' ? thrown.message : 'The test failed.'
  const stack = typeof thrown.stack === 'string' ? thrown.stack : undefined
  return { message, stack, diff: formatDiff(thrown) }
}

function formatDiff({ expected, actual }: ThrownError): string | undefined {
  if (expected === undefined && actual === undefined) return undefined
  return `Expected: ${inspect(expected)}\nActual: ${inspect(actual)}`
}

export function getTags({ tags }: EventPayload): string[] {
  if (!Array.isArray(tags)) return []
  return tags.flatMap((tag: string | { name?: string }) => (typeof tag === 'string' ? [tag] : [tag.name ?? '']))
}

/** Returns the path relative to the working directory, with forward slashes. */
export function getTestFile(file: string | undefined, cwd: string): string | undefined {
  return typeof file === 'string' && file !== '' ? toRelativePath(file, cwd) : undefined
}

/**
 * Converts the error of a spec file that did not load. WebdriverIO adds advice, and puts the stack into the message.
 */
export function toLoadError({ message = '', stack }: ThrownError): TestError {
  const marker = '\nError: '
  const at = message.indexOf(marker)
  if (at === -1) return { message, stack }
  const errors = message.slice(at + marker.length)
  return { message: errors.split('\n    at ', 1)[0] ?? errors, stack: errors }
}
