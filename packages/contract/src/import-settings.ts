import { Type } from 'typebox'

import { RESULT_STATUSES } from './results.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-fields.ts'

/*
 * What users send to import a file, and choose instead of what is suggested.
 */

/** The most characters of the name of a source. */
export const MAX_SOURCE_LENGTH = 100
/** The most choices of a kind in one request. */
export const MAX_CHOICES = 500

const sourceName = Type.String({
  format: 'name',
  'x-trim': true,
  minLength: 1,
  maxLength: MAX_SOURCE_LENGTH,
  description: 'Name of the project of the tool. Files of the same source update what earlier ones have created.',
})

const sentText = (description: string, maxLength = 1000) => Type.String({ format: 'text', maxLength, description })

/** What can become of test cases of earlier imports that a file does not have. */
export const ABSENT_CHOICES = ['keep', 'archive', 'tag'] as const

/** What the user chooses instead of what is suggested. */
export const ImportSettings = Type.Object(
  {
    source: Type.Optional(sourceName),
    encoding: Type.Optional(sentText('Encoding of a text file, such as `windows-1252`.', 40)),
    project: Type.Optional(
      sentText('Which project of a file that has several: one of the options of the question.', 255),
    ),
    date_order: Type.Optional(
      OneOf(['day_first', 'month_first'], {
        description: 'Which number of dates such as `03/04/2025` is the day, if the file does not tell.',
      }),
    ),
    time_zone: Type.Optional(
      sentText('Time zone of times that do not tell theirs, such as `Europe/Berlin`; `UTC` by default.', 60),
    ),
    fields: Type.Optional(
      Type.Array(
        Type.Object({
          name: sentText('Name of the field in the source.'),
          to: sentText('`field:<key>`, `new`, `details` or `ignore`.', 60),
        }),
        { maxItems: MAX_CHOICES, description: 'What fields of the source become.' },
      ),
    ),
    priorities: Type.Optional(
      Type.Array(
        Type.Object({
          from: sentText('Priority in the source.'),
          to: OneOf(PRIORITIES, { description: 'Priority here.' }),
        }),
        { maxItems: MAX_CHOICES, description: 'What priorities become.' },
      ),
    ),
    types: Type.Optional(
      Type.Array(
        Type.Object({
          from: sentText('Type in the source.'),
          to: OneOf(TEST_CASE_TYPES, { description: 'Type here.' }),
        }),
        { maxItems: MAX_CHOICES, description: 'What types become.' },
      ),
    ),
    statuses: Type.Optional(
      Type.Array(
        Type.Object({
          from: sentText('Status of results in the source.'),
          to: OneOf(RESULT_STATUSES, { description: 'Status here.' }),
        }),
        { maxItems: MAX_CHOICES, description: 'What statuses of results become.' },
      ),
    ),
    id_pattern: Type.Optional(
      Nullable(
        sentText(
          'Address of an issue, with `{id}` for its id: `https://tracker.example/browse/{id}`; null for none.',
          2000,
        ),
      ),
    ),
    restores_deleted: Type.Optional(
      Type.Boolean({
        description:
          'Creates test cases and folders again that an earlier import of the source has brought, and that were deleted here. For this import only.',
      }),
    ),
    absent: Type.Optional(
      OneOf(ABSENT_CHOICES, {
        description:
          'What becomes of test cases that an earlier import of the source has brought, and that are not in the file: they are kept as they are by default, or archived, or get the tag `absent-in-source`, unless they were changed here. For this import only.',
      }),
    ),
    deprecated: Type.Optional(
      OneOf(['archive', 'keep'], {
        description: 'What becomes of deprecated and obsolete test cases: archived by default.',
      }),
    ),
  },
  { examples: [{ source: 'Web shop', priorities: [{ from: 'Showstopper', to: 'critical' }] }] },
)
export type ImportSettings = Static<typeof ImportSettings>

export const CreateImportBody = Type.Object(
  {
    file_id: Type.String({ format: 'text', maxLength: 255, description: 'File, received by `POST …/file-uploads`.' }),
    name: Type.String({
      format: 'text',
      'x-clean': true,
      'x-trim': true,
      minLength: 1,
      maxLength: 255,
      description: 'Name of the file.',
    }),
    source: Type.Optional(sourceName),
  },
  { examples: [{ file_id: '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13', name: 'shop.xml' }] },
)
export type CreateImportBody = Static<typeof CreateImportBody>
