import { Type, type Static } from 'typebox'

import { ResultStatus } from './results.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-schemas.ts'

export const resultRowExample = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  test_case_id: 'WEB-12',
  test_case_title: 'A customer pays by card',
  folder_id: '019aa5b5-2a3b-7c4d-8e5f-6a7b8c9d0e1f',
  priority: 'high',
  type: 'functional',
  tags: ['checkout'],
  status: 'failed',
  note_line: 'AssertionError: expected 200, got 500',
  elapsed: 3,
  tested_by: null,
  tested_at: '2026-11-21T09:30:00.000Z',
}

/** A result with the fields that a table of a run shows. */
export const ResultRow = Type.Object(
  {
    id: Type.String({ description: 'Result id.' }),
    test_case_id: Nullable(Type.String({ description: 'Test case id; null if the test case was deleted.' })),
    test_case_title: Type.String({ description: 'Title of the test case when it was added to the run.' }),
    folder_id: Nullable(Type.String({ description: 'Folder of the test case; null at the top level.' })),
    priority: Nullable(
      OneOf(PRIORITIES, { description: 'Priority of the test case; null if the test case was deleted.' }),
    ),
    type: Nullable(
      OneOf(TEST_CASE_TYPES, { description: 'Type of the test case; null if the test case was deleted.' }),
    ),
    tags: Type.Array(Type.String(), { description: 'Tags of the test case.' }),
    status: ResultStatus,
    note_line: Nullable(Type.String({ description: 'First line of the note, up to 200 characters.' })),
    elapsed: Nullable(Type.Integer({ description: 'Duration in seconds.' })),
    tested_by: Nullable(Type.String({ description: 'User id; null if the result was set with a CI token.' })),
    tested_at: Nullable(Timestamp('When the result was set, or the `finished_at` of its upload.')),
  },
  { examples: [resultRowExample] },
)
export type ResultRow = Static<typeof ResultRow>
