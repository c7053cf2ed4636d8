import { bulkCreateTestCases } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { type Connection, toCommandError } from '../../connect.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { ERRORS_FILE_HINT } from '../../errors-file.ts'
import { toTerminalText } from '../../text.ts'
import { type Resolvers, toBody } from './owner-resolver.ts'
import type { NewTestCase } from '@caseward/case-files/parse-test-case'

export interface CreateOptions {
  readonly projectId: string
  readonly connection: Connection
  readonly subject: RequestSubject
  readonly dryRun: boolean
  /** What the test cases come from, for messages; their `line` is its number. */
  readonly unit: 'line' | 'test'
}

interface CreatedTestCases {
  /** Ids in the order of the file. */
  readonly ids: string[]
  /** The failure after which no further batch was sent. */
  readonly failure: CommandError | null
}

/** Creates missing folders, then the test cases, each batch completely or not at all. */
export async function createTestCases(
  batches: readonly (readonly NewTestCase[])[],
  resolvers: Resolvers,
  options: CreateOptions,
): Promise<CreatedTestCases> {
  const ids: string[] = []
  try {
    for (const batch of batches) for (const { folder } of batch) await resolvers.folders.getId(folder)
    if (!options.dryRun) {
      for (const batch of batches) ids.push(...(await createBatch(batch, resolvers, options)))
    }
    return { ids, failure: null }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { ids, failure: error }
  }
}

async function createBatch(
  batch: readonly NewTestCase[],
  { folders, owners }: Resolvers,
  { projectId, connection, subject, unit }: CreateOptions,
): Promise<string[]> {
  const items = []
  for (const { folder, body } of batch)
    items.push({ ...toBody(withoutEmpty(body), owners), folder_id: await folders.getId(folder) })
  const reply = await connection.client.call(bulkCreateTestCases, {
    params: { project_id: projectId },
    body: { test_cases: items },
  })
  if (reply.kind === 'success') return reply.data.data.test_cases.map(({ id }) => id)
  const { lines, code } = toCommandError(reply, connection.settings, subject)
  const range = `${unit}s ${batch.at(0)?.line} to ${batch.at(-1)?.line}`
  const mayBeCreated = reply.kind === 'unreadable' || (reply.kind === 'unreachable' && reply.mayHaveReachedServer)
  const errors = reply.kind === 'problem' ? (reply.problem.errors ?? []) : []
  const fieldErrors = errors.map(({ path, message }) => formatFieldError(path, message, batch, unit))
  throw new CommandError(
    [
      mayBeCreated
        ? `The test cases of ${range} may or may not have been created. Those of later ${unit}s were not created.`
        : `The test cases of ${range} and of later ${unit}s were not created.`,
      ...(fieldErrors.length > 0 ? [] : lines),
    ],
    { code, items: fieldErrors, itemsHint: ERRORS_FILE_HINT },
  )
}

/** Leaves out what a new test case does not have, so that servers that do not know a field yet create it, too. */
const withoutEmpty = (body: NewTestCase['body']): NewTestCase['body'] => ({
  ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
  title: body.title,
})

/** Replaces the path of a field in the request by the line in the file. */
function formatFieldError(path: string, message: string, batch: readonly NewTestCase[], unit: string): string {
  const [, index, field = ''] = /^\/test_cases\/(\d+)\/?(.*)$/.exec(path) ?? []
  const line = index === undefined ? undefined : batch[Number(index)]?.line
  return line === undefined
    ? `${toTerminalText(path)} ${toTerminalText(message)}`
    : `${unit} ${line}: ${toTerminalText(field)} ${toTerminalText(message)}`
}
