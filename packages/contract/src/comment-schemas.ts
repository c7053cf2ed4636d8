import { Type } from 'typebox'

import { Attachment, attachmentExample } from './attachment-schemas.ts'
import { Nullable, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/** The most comments of a test case, run or result. */
export const MAX_COMMENTS = 10_000
/** The most characters of a comment. */
export const MAX_COMMENT_LENGTH = 65_536
/** How many earlier texts of a comment are kept. */
export const MAX_COMMENT_VERSIONS = 20
/** The most users that a comment mentions. */
export const MAX_MENTIONS = 20

const commentId = '019aa5b9-9c34-7f1b-ad55-3d4f8b0e5a17'
const ada = '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40'
const attachment = `![error page](attachment:${attachmentExample.id})`

export const commentExample = {
  id: commentId,
  body: `@[Ada Lovelace](user:${ada}) it only fails with the new card form:\n\n${attachment}`,
  created_by: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10',
  created_at: '2026-11-21T09:30:00.000Z',
  edited_at: null,
  deleted_at: null,
  deleted_by: null,
  attachments: [attachmentExample],
}

export const Comment = Type.Object(
  {
    id: Type.String({ description: 'Comment id.' }),
    body: Nullable(
      Type.String({
        description:
          'The text, in Markdown; null if the comment was deleted. `@[Ada Lovelace](user:<id>)` mentions a user, and `![shot](attachment:<id>)` shows a picture that is attached to the same test case, run or result.',
      }),
    ),
    created_by: Type.String({ description: 'User id of the author.' }),
    created_at: Timestamp('When the comment was written.'),
    edited_at: Nullable(Timestamp('When the author last changed it; null if never.')),
    deleted_at: Nullable(Timestamp('When it was deleted; null if it was not.')),
    deleted_by: Nullable(Type.String({ description: 'User id of who deleted it.' })),
    attachments: Type.Array(Attachment, {
      description: 'What was attached for the comment, and the other attachments that its text shows.',
    }),
  },
  { examples: [commentExample] },
)
export type Comment = Static<typeof Comment>
