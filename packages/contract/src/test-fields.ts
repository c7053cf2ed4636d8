import { Type } from 'typebox'
import { CursorPage } from './pagination.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schemas.ts'

/*
 * A test is what automation runs, identified in its project by its suite, name and variant. A run has one outcome of each
 * test that was uploaded to it, with all attempts.
 */

export const ATTEMPT_STATUSES = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'] as const

export const AttemptStatus = OneOf(ATTEMPT_STATUSES, {
  description:
    '`blocked`: something before it failed, so that it could not run. `interrupted`: stopped before its end.',
})
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

export const LINK_SOURCES = ['id', 'key', 'hand', 'alias'] as const

/** The largest page of a list of tests. */
export const MAX_TESTS_PER_PAGE = 500

/** What a test is, in its project and in a run. */
export const testIdentity = {
  id: Type.String({ description: 'Test id.' }),
  suite: Type.String({ description: 'File, class or blocks around the test; empty if unknown.' }),
  name: Type.String({ description: 'Name, with the titles of its blocks joined by ` > ` where the suite is a file.' }),
  variant: Type.String({ description: 'Browser, project or other variant; empty if there is only one.' }),
  file: Type.String({ description: 'File; empty if unknown.' }),
  module: Type.String({
    description: 'Directory of its package, relative to the repository; `.` for the root, empty if unknown.',
  }),
  test_case_ids: Type.Array(Type.String(), {
    description: 'Test cases that the test is linked to, usually one. Empty: the test is unmatched.',
  }),
  linked_by: Nullable(
    OneOf(LINK_SOURCES, {
      description:
        'What linked the test: an `id` in the report, an automation `key`, a user (`hand`), or an id of another tool in the report (`alias`); null if it is unmatched.',
    }),
  ),
}

/** The outcome of a test in a run. */
export const outcomeFields = {
  outcome: OneOf(ATTEMPT_STATUSES, {
    description: '`passed` if any attempt passed; otherwise the worst of its attempts.',
  }),
  is_flaky: Type.Boolean({ description: 'Whether it passed after another attempt had failed.' }),
  elapsed_ms: Nullable(Type.Integer({ description: 'Duration of all attempts in milliseconds.' })),
  attempt_count: Type.Integer({ description: 'Number of attempts.' }),
  tested_at: Timestamp('When the test was uploaded, or the `finished_at` of its upload.'),
}

export const testExample = {
  id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90',
  suite: 'src/checkout.spec.ts',
  name: 'Checkout > pays by card',
  variant: 'chromium',
  file: 'src/checkout.spec.ts',
  module: '.',
  test_case_ids: ['WEB-12'],
  linked_by: 'key',
} as const

export const outcomeExample = {
  outcome: 'passed',
  is_flaky: true,
  elapsed_ms: 812,
  attempt_count: 2,
  tested_at: '2026-11-21T09:30:00.000Z',
} as const

export const testCursorQuery = {
  after: Type.Optional(Uuid('`next_after` of the previous page; the first page without it.')),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TESTS_PER_PAGE,
      default: 20,
      description: `Number of tests per page, up to ${MAX_TESTS_PER_PAGE}.`,
    }),
  ),
}

export const testSearch = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 255,
    description: 'Return only tests whose suite, name, variant or file contains this text, case-insensitive.',
  }),
)

/** A page of a list by cursor that tells how many there are. */
export const TestPage = <S extends ReturnType<typeof Type.Object>>(item: S) => {
  const page = CursorPage(item)
  return Type.Object({
    ...page.properties,
    meta: Type.Object({
      ...page.properties.meta.properties,
      total: Type.Integer({ description: 'Number of tests on all pages; 10,000 means 10,000 or more.' }),
    }),
  })
}
