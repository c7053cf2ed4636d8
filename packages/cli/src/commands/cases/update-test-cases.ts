import { updateTestCase, type UpdateTestCaseBody } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { expectSuccess } from '../../connect.ts'
import type { CreateOptions } from './create-test-cases.ts'
import type { FolderResolver } from './folder-resolver.ts'
import type { ExistingTestCase } from './find-existing.ts'
import type { Column } from '@caseward/case-files/test-case-rows'

interface UpdatedTestCases {
  readonly ids: readonly string[]
  /** The failure after which no further test case was updated. */
  readonly failure: CommandError | null
}

/** Updates test cases one by one. Fields whose columns the file does not have stay as they are. */
export async function updateTestCases(
  existing: readonly ExistingTestCase[],
  columns: readonly Column[],
  folders: FolderResolver,
  { projectId, connection, subject, dryRun }: CreateOptions,
): Promise<UpdatedTestCases> {
  const ids: string[] = []
  for (const { testCase, existingId } of existing) {
    try {
      const folderId = columns.includes('folder') ? { folder_id: await folders.getId(testCase.folder) } : {}
      const body = { ...pickColumns(testCase.body, columns), ...folderId }
      const params = { project_id: projectId, test_case_id: existingId }
      if (!dryRun) {
        expectSuccess(await connection.client.call(updateTestCase, { params, body }), connection, subject)
      }
      ids.push(existingId)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      const lines = [`line ${testCase.line}: ${existingId} and those on later lines were not updated.`, ...error.lines]
      return { ids, failure: new CommandError(lines, { code: error.code }) }
    }
  }
  return { ids, failure: null }
}

const pickColumns = (body: UpdateTestCaseBody, columns: readonly Column[]): UpdateTestCaseBody =>
  Object.fromEntries(Object.entries(body).filter(([field]) => columns.some((column) => column === field)))
