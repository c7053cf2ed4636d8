import type { Mention } from '@caseward/contract/mentions'
import { replaceMentions } from '@caseward/matching/comment-references'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { MentioningComment, MentionRow } from './mentions.queries.ts'

const MAX_TEXT_LENGTH = 200

/** The first line of a comment that is not blank, with names in place of mentions. */
export const formatFirstLine = (body: string): string =>
  (
    replaceMentions(body, () => undefined)
      .trim()
      .split('\n', 1)[0] ?? ''
  )
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed()

/** @param comment what mentions the user */
export const presentMention = (
  { id, projectId, commentId, createdAt, readAt }: MentionRow,
  { projectName, prefix, caseNumber, runId, resultId, title, authorName, body }: MentioningComment,
): Mention => ({
  id,
  project_id: projectId,
  project_name: projectName,
  comment_id: commentId,
  test_case_id: caseNumber === null ? null : formatTestCaseId(prefix, caseNumber),
  run_id: runId,
  result_id: resultId,
  title,
  author_name: authorName,
  text: formatFirstLine(body),
  created_at: presentTime(createdAt),
  read_at: presentNullableTime(readAt),
})
