import {
  deleteAttachment,
  getAttachment,
  getRunTest,
  listResultAttachments,
  listRunAttachments,
  listTestCaseAttachments,
  updateAttachment,
} from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api, keepaliveApi } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { getFilesKey } from '../../uploads/show-attached.ts'
import type { FilePlace } from '../../uploads/upload-entry.ts'
import type { ReceivedFile } from './shown-file.ts'
import type { ShownPlace, TestPlace } from './viewed-file.ts'

const PAGE_SIZE = 100
/** More than a result and all of its attempts have. A run can have more, of which the first are shown. */
const MAX_FILES = 500

const getShownFilesKey = (place: ShownPlace): readonly string[] =>
  place.kind === 'test' ? queryKeys.runTestFiles(place.runId, place.testId) : getFilesKey(place)

/** The key of everything that shows the files of a place: a test comes with its files. */
export const getPlaceQueriesKey = (place: ShownPlace): readonly string[] =>
  place.kind === 'test' ? queryKeys.runTest(place.runId, place.testId) : getFilesKey(place)

/** The attachments of a place, in the order in which they were attached. */
export const filesOf = (place: ShownPlace) =>
  queryOptions({
    queryKey: getShownFilesKey(place),
    queryFn: async ({ signal }): Promise<readonly ReceivedFile[]> => {
      if (place.kind === 'test') return await readFilesOfTest(place, signal)
      const files: ReceivedFile[] = []
      let after: string | null | undefined
      while (after !== null && files.length < MAX_FILES) {
        const page = await readPage(place, after, signal)
        files.push(...page.data)
        after = page.meta.next_after
      }
      return files
    },
  })

async function readFilesOfTest({ runId, testId }: TestPlace, signal: AbortSignal): Promise<readonly ReceivedFile[]> {
  const params = { run_id: runId, test_id: testId }
  return (await request(api, getRunTest, { params, signal })).data.data.attachments
}

async function readPage(place: FilePlace, after: string | undefined, signal: AbortSignal) {
  const query = { per_page: PAGE_SIZE, after }
  if (place.kind === 'case') {
    const params = { project_id: place.projectId, test_case_id: place.caseId }
    return (await request(api, listTestCaseAttachments, { params, query, signal })).data
  }
  const run = { run_id: place.runId }
  if (place.kind === 'run') return (await request(api, listRunAttachments, { params: run, query, signal })).data
  const params = { ...run, result_id: place.resultId }
  return (await request(api, listResultAttachments, { params, query, signal })).data
}

/** One attachment, with its place. */
export const fileById = (project_id: string, attachment_id: string) =>
  queryOptions({
    queryKey: queryKeys.attachment(project_id, attachment_id),
    queryFn: async ({ signal }) =>
      (await request(api, getAttachment, { params: { project_id, attachment_id }, signal })).data.data,
  })

export const renameFile = async (project_id: string, attachment_id: string, name: string) =>
  (await request(api, updateAttachment, { params: { project_id, attachment_id }, body: { name } })).data.data

/** @param keepalive whether the page is being closed */
export const deleteFile = async (project_id: string, attachment_id: string, keepalive: boolean): Promise<void> => {
  await request(keepalive ? keepaliveApi : api, deleteAttachment, { params: { project_id, attachment_id } })
}
