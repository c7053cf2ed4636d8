import { getTestCase, listFolders, listTestCases } from '@caseward/client/endpoints'

import { type Connection, expectSuccess } from '../../connect.ts'
import { createFolderTree, type FolderTree } from '@caseward/case-files/folder-tree'
import { isLastPage } from '../../projects.ts'
import type { Setting } from '../../settings.ts'
import type { ListedCase } from '@caseward/case-files/file-columns'

/** Reads the folders of a project. */
export async function readFolderTree(
  projectId: string,
  project: Setting | null,
  connection: Connection,
): Promise<FolderTree> {
  const reply = await connection.client.call(listFolders, { params: { project_id: projectId } })
  return createFolderTree(expectSuccess(reply, connection, { project: project ?? undefined }).data.data)
}

/** Reads all test cases of a project with all their fields, 100 per request. */
export async function readTestCases(
  projectId: string,
  project: Setting | null,
  connection: Connection,
): Promise<ListedCase[]> {
  // A test case can be on two pages: deleting another one in the meantime moves it.
  const testCasesById = new Map<string, ListedCase>()
  for (let page = 1; ; page += 1) {
    const query = { fields: 'all', per_page: 100, page } as const
    const reply = await connection.client.call(listTestCases, { params: { project_id: projectId }, query })
    const { data, meta } = expectSuccess(reply, connection, { project: project ?? undefined }).data
    const testCases = await Promise.all(data.map((testCase) => completeFields(testCase, projectId, connection)))
    for (const testCase of testCases) testCasesById.set(testCase.id, testCase)
    if (isLastPage(page, data, meta)) return [...testCasesById.values()]
  }
}

/** Older servers do not list tags and automation keys: each test case is read separately. */
async function completeFields(
  testCase: Omit<ListedCase, 'tags' | 'automation_key'> & Partial<ListedCase>,
  projectId: string,
  connection: Connection,
): Promise<ListedCase> {
  const { tags, automation_key } = testCase
  if (tags !== undefined && automation_key !== undefined) return { ...testCase, tags, automation_key }
  const params = { project_id: projectId, test_case_id: testCase.id }
  return expectSuccess(await connection.client.call(getTestCase, { params }), connection, {}).data.data
}
