import type { Comment } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api, keepaliveApi } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { FilePlace } from '../../uploads/upload-entry.ts'
import { cursorPages } from '../../use-cursor-pages.ts'
import {
  createResultComment,
  createRunComment,
  createTestCaseComment,
  deleteComment,
  listCommentVersions,
  listResultActivity,
  listResultComments,
  listRunActivity,
  listRunComments,
  listTestCaseActivity,
  listTestCaseComments,
  updateComment,
} from './comment-endpoints.ts'

/** Where comments are: where files are, too. */
export type CommentPlace = FilePlace

const PAGE_SIZE = 20
const TIMELINE_PAGE_SIZE = 50

/** Below the key of a test case or result: live events refresh it with them. */
function getPlaceKey(place: CommentPlace): readonly string[] {
  if (place.kind === 'case') return queryKeys.case(place.projectId, place.caseId)
  return place.kind === 'run' ? queryKeys.inRun(place.runId) : queryKeys.result(place.runId, place.resultId)
}

const caseParams = ({ projectId, caseId }: CommentPlace & { kind: 'case' }) => ({
  project_id: projectId,
  test_case_id: caseId,
})
const resultParams = ({ runId, resultId }: CommentPlace & { kind: 'result' }) => ({
  run_id: runId,
  result_id: resultId,
})

/** The comments of a place, the newest first. */
export const commentsOf = (place: CommentPlace) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...getPlaceKey(place), 'comments'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { per_page: PAGE_SIZE, ...(pageParam === null ? {} : { after: pageParam }) }
      if (place.kind === 'case') {
        return (await request(api, listTestCaseComments, { params: caseParams(place), query, signal })).data
      }
      if (place.kind === 'run') {
        return (await request(api, listRunComments, { params: { run_id: place.runId }, query, signal })).data
      }
      return (await request(api, listResultComments, { params: resultParams(place), query, signal })).data
    },
  })

/** What happened at a place, the newest first. */
export const timelineOf = (place: CommentPlace) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...getPlaceKey(place), 'activity'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { per_page: TIMELINE_PAGE_SIZE, ...(pageParam === null ? {} : { after: pageParam }) }
      if (place.kind === 'case') {
        return (await request(api, listTestCaseActivity, { params: caseParams(place), query, signal })).data
      }
      if (place.kind === 'run') {
        return (await request(api, listRunActivity, { params: { run_id: place.runId }, query, signal })).data
      }
      return (await request(api, listResultActivity, { params: resultParams(place), query, signal })).data
    },
  })

/** What a user has written, and uploaded for it. */
export interface WrittenComment {
  body: string
  attachment_ids: string[]
}

export async function addComment(place: CommentPlace, body: WrittenComment): Promise<Comment> {
  if (place.kind === 'case') {
    return (await request(api, createTestCaseComment, { params: caseParams(place), body })).data.data
  }
  if (place.kind === 'run') {
    return (await request(api, createRunComment, { params: { run_id: place.runId }, body })).data.data
  }
  return (await request(api, createResultComment, { params: resultParams(place), body })).data.data
}

export const changeComment = async (project_id: string, comment_id: string, body: WrittenComment): Promise<Comment> =>
  (await request(api, updateComment, { params: { project_id, comment_id }, body })).data.data

/** @param keepalive whether the page is being closed */
export async function removeComment(project_id: string, comment_id: string, keepalive: boolean): Promise<void> {
  await request(keepalive ? keepaliveApi : api, deleteComment, { params: { project_id, comment_id } })
}

/** The earlier texts of a comment, the newest first. */
export const versionsOf = (project_id: string, comment_id: string, editedAt: string | null) =>
  queryOptions({
    queryKey: [...queryKeys.inProject(project_id), 'comment', comment_id, editedAt],
    queryFn: async ({ signal }) =>
      (await request(api, listCommentVersions, { params: { project_id, comment_id }, signal })).data.data,
  })
