import { Type } from 'typebox'

import { FILE_KINDS } from './attachment-schemas.ts'
import { OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** The digest of a content, as {@link DeclaredAttachment} names it. */
export const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const contentFields = {
  sha256: Sha256('SHA-256 of the content: 64 hexadecimal digits.'),
  byte_count: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Size of the content in bytes.',
  }),
}

/** Most files of an attempt, or of an item of format `json`, that are kept. Further ones are refused. */
export const MAX_ATTEMPT_ATTACHMENTS = 20

/** Most files that one upload declares. Further ones are refused. */
export const MAX_DECLARED_ATTACHMENTS = 10_000

/** A file whose content follows: the receipt says whether the project has it already. */
export const DeclaredAttachment = Type.Object({
  name: Type.String({
    format: 'text',
    'x-clean': true,
    'x-trim': true,
    description: 'Name of the file. Truncated to 255 characters.',
  }),
  ...contentFields,
  kind: Type.Optional(
    OneOf(FILE_KINDS, {
      description:
        'What the client takes it for. Only `trace` makes a difference: a ZIP file is shown as a trace. Otherwise, the content decides.',
    }),
  ),
})
export type DeclaredAttachment = Static<typeof DeclaredAttachment>

export const declaredAttachments = Type.Optional(
  Type.Array(DeclaredAttachment, {
    maxItems: 1000,
    description: `Files, whose contents are sent afterwards: \`PUT /v1/runs/{run_id}/files/{sha256}\` for each that the receipt lists as missing. Up to ${MAX_ATTEMPT_ATTACHMENTS}, and ${MAX_DECLARED_ATTACHMENTS.toLocaleString('en')} in one upload; further ones are refused, and the results are stored nevertheless.`,
  }),
)

/** A file that a JUnit report names. */
export const ReportFile = Type.Object({
  path: Type.String({
    format: 'text',
    minLength: 1,
    maxLength: 4096,
    description: 'Path or name as the report writes it.',
  }),
  ...contentFields,
  report: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 4096,
      description: 'Path of the report that names it, as in `reports`; without it, all reports of the upload.',
    }),
  ),
})
export type ReportFile = Static<typeof ReportFile>
