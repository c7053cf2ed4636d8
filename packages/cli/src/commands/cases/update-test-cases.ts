import { updateTestCase } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { expectSuccess } from '../../connect.ts'
import type { CreateOptions } from './create-test-cases.ts'
import { type Resolvers, toBody } from './owner-resolver.ts'
import type { NewTestCase } from '@caseward/case-files/parse-test-case'
import type { ExistingTestCase } from './find-existing.ts'
import { type Column, fileColumns } from '@caseward/case-files/file-columns'

interface UpdatedTestCases {
  readonly ids: readonly string[]
  /** The failure after which no further test case was updated. */
  readonly failure: CommandError | null
}

/** Updates test cases one by one. Fields whose columns the file does not have stay as they are. */
export async function updateTestCases(
  existing: readonly ExistingTestCase[],
  columns: readonly Column[],
  { folders, owners }: Resolvers,
  { projectId, connection, subject, dryRun }: CreateOptions,
): Promise<UpdatedTestCases> {
  const ids: string[] = []
  for (const { testCase, existingId } of existing) {
    try {
      const folderId = columns.includes('folder') ? { folder_id: await folders.getId(testCase.folder) } : {}
      const body = { ...toBody(pickColumns(testCase.body, columns), owners), ...folderId }
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

function pickColumns(body: NewTestCase['body'], columns: readonly Column[]): Partial<NewTestCase['body']> {
  // Custom fields are there only if they have a column.
  const fields = new Set<string>(['fields', ...columns.map((column) => fileColumns[column].field)])
  return Object.fromEntries(Object.entries(body).filter(([field]) => fields.has(field)))
}
