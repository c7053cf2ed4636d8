import type { Database } from '../../platform/database/connect.ts'
import type { UserNames } from '../exports/export-columns.ts'
import { type StoredComments, selectResultComments, selectRunComments } from './report-comments.queries.ts'
import type { DetailedResult } from './report-details.queries.ts'

/** A comment as the report shows it. */
export interface ReportComment {
  text: string
  /** Null where the report has no people. */
  author: string | null
  createdAt: Date
  isEdited: boolean
}

export interface ReportComments {
  comments: readonly ReportComment[]
  /** Whether there are earlier ones. */
  isCut: boolean
}

export const NO_COMMENTS: ReportComments = { comments: [], isCut: false }

const REFERENCE = /!?\[([^\]\n]{0,255})\]\((?:attachment|upload):[^)\n]{1,64}\)/g

/**
 * Creates functions that read the comments of a report.
 * @param users null where the report has no people
 * @param adaptText removes what the report must not show
 */
export function createCommentReaders(
  db: Database,
  projectId: string,
  { users, adaptText }: { users: UserNames | null; adaptText: (text: string) => string },
) {
  async function adapt(found: ReadonlyMap<string, StoredComments>): Promise<Map<string, ReportComments>> {
    await users?.load([...found.values()].flatMap(({ comments }) => comments.map(({ createdBy }) => createdBy)))
    const toComment = ({ body, createdBy, createdAt, isEdited }: StoredComments['comments'][number]) => ({
      // A picture of a comment is among the files, if the report has those.
      text: adaptText(body.replaceAll(REFERENCE, '$1')),
      author: users === null ? null : users.get(createdBy) || 'Former user',
      createdAt,
      isEdited,
    })
    return new Map(
      Array.from(found, ([place, { comments, isCut }]) => [place, { comments: comments.map(toComment), isCut }]),
    )
  }
  return {
    ofResults: async (results: readonly DetailedResult[]) => adapt(await selectResultComments(db, projectId, results)),
    ofRuns: async (runIds: readonly string[]) => adapt(await selectRunComments(db, projectId, runIds)),
  }
}
