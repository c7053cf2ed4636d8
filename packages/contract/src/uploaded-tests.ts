import { Type } from 'typebox'

import { declaredAttachments } from './declared-attachments.ts'
import { ReportedFieldValues } from './field-values.ts'
import { LINK_KINDS, MAX_LINKS } from './link-schemas.ts'
import { Nullable, OneOf, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'
import { AttemptStatus } from './test-fields.ts'

/** Steps of an attempt that are kept. */
export const MAX_ATTEMPT_STEPS = 200

/** A step that a framework reports inside of an attempt. */
export const UploadedStep = Type.Object({
  title: Type.String({ format: 'text', description: 'Title. Truncated to 1,000 characters.' }),
  status: Nullable(
    Type.Unsafe<AttemptStatus>({
      ...AttemptStatus,
      description: 'Status of the step; null if it is unknown. It never changes the status of the attempt.',
    }),
  ),
  depth: Type.Integer({
    minimum: 0,
    maximum: 9,
    description: 'Number of steps around it: a step belongs to the nearest one before it with a smaller depth.',
  }),
  elapsed_ms: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e12, description: 'Duration in milliseconds; unknown without it.' }),
  ),
  message: Type.Optional(
    Type.String({ format: 'text', description: 'Error message of the step. Truncated to 10,000 characters.' }),
  ),
})
export type UploadedStep = Static<typeof UploadedStep>

/** An address that a test names. One that cannot be stored is refused, and its result is stored nevertheless. */
export const UploadedLink = Type.Object({
  url: Type.String({ format: 'text', description: 'An address that begins with `http://` or `https://`.' }),
  kind: Type.Optional(OneOf(LINK_KINDS, { description: 'What the address is of; by default `defect`.' })),
})
export type UploadedLink = Static<typeof UploadedLink>

export const uploadedLinks = Type.Optional(
  Type.Array(UploadedLink, {
    maxItems: 1000,
    description: `Addresses, such as that of a known defect, which are added to the result. A result keeps up to ${MAX_LINKS}. A later upload without them removes none.`,
  }),
)

/** An attempt of an uploaded test. Longer texts are truncated. */
export const UploadedAttempt = Type.Object({
  status: AttemptStatus,
  elapsed_ms: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e12, description: 'Duration in milliseconds; unknown without it.' }),
  ),
  message: Type.Optional(Type.String({ format: 'text', description: 'Error message, or the reason for skipping.' })),
  details: Type.Optional(Type.String({ format: 'text', description: 'Stack trace, difference or output.' })),
  started_at: Type.Optional(TimestampInput('When the attempt started.')),
  attachments: declaredAttachments,
  steps: Type.Optional(
    Type.Array(UploadedStep, {
      maxItems: 10_000,
      description: `Steps in the order in which they began. Of more than ${MAX_ATTEMPT_STEPS}, or 64 KB, steps that passed are left out first, and the way to an error last.`,
    }),
  ),
})
export type UploadedAttempt = Static<typeof UploadedAttempt>

/** Maximum number of attempts of a test in one upload. */
export const MAX_ATTEMPTS = 100

/** A test that ran, with all its attempts. The server decides which test case it belongs to, and its outcome. */
export const UploadedTest = Type.Object({
  name: Type.String({
    format: 'text',
    minLength: 1,
    description: 'Name: the titles of its blocks and its own, joined by ` > `. Truncated to 2,000 characters.',
  }),
  suite: Type.Optional(Type.String({ format: 'text', description: 'File or class. Truncated to 2,000 characters.' })),
  variant: Type.Optional(
    Type.String({
      format: 'text',
      description: 'What tells tests of the same suite and name apart, such as a browser. Truncated to 255 characters.',
    }),
  ),
  file: Type.Optional(Type.String({ format: 'text', description: 'File. Truncated to 1,000 characters.' })),
  test_case_ids: Type.Optional(
    Type.Array(Type.String({ format: 'text' }), {
      maxItems: 1000,
      description: 'Test case ids that the test names in an annotation or a property. Only the first 200 are used.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ format: 'text' }), { maxItems: 1000, description: 'Tags, which may contain ids.' }),
  ),
  links: uploadedLinks,
  fields: Type.Optional(
    ReportedFieldValues(
      'Values of custom fields of results by their keys, also as text, with labels or keys of options and several options separated by `;`. What is no value is listed in `ignored_fields` of the receipt.',
    ),
  ),
  attempts: Type.Array(UploadedAttempt, {
    minItems: 1,
    maxItems: MAX_ATTEMPTS,
    description: 'All attempts in the order in which they ran.',
  }),
  only_if_reported: Type.Optional(
    Type.Boolean({
      description:
        'Whether the test counts only if the run has an outcome of it: for tests that contain others, and are otherwise reported only when they fail by themselves.',
    }),
  ),
})
export type UploadedTest = Static<typeof UploadedTest>

/** An error outside of tests. */
export const UploadedSuiteError = Type.Object({
  where: Type.String({ format: 'text', description: 'File, suite or hook.' }),
  message: Type.String({ format: 'text', description: 'Error message.' }),
})
export type UploadedSuiteError = Static<typeof UploadedSuiteError>
