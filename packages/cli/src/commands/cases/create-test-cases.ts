import { bulkCreateTestCases, createFolder } from '@caseward/client/endpoints'

import { toCommandError, expectSuccess, type Session } from '../../connect.ts'
import { CommandError } from '../../context.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { toTerminalText } from '../../terminal.ts'
import { type FolderTree, joinPath } from './folder-paths.ts'
import type { NewTestCase } from './parse-test-case.ts'

interface CreateOptions {
  readonly projectId: string
  readonly tree: FolderTree
  readonly session: Session
  readonly about: RequestSubject
  readonly dryRun: boolean
}

interface Created {
  /** Ids of the test cases, in the order of the file. */
  readonly created: string[]
  /** How many folders were missing. */
  readonly folders: number
  /** What ended it before the last batch. */
  readonly failure: CommandError | null
}

/** Makes the folders that are missing, then the test cases, each batch as a whole or not at all. */
export async function createTestCases(
  batches: readonly (readonly NewTestCase[])[],
  how: CreateOptions,
): Promise<Created> {
  const created: string[] = []
  const makeFolders = createFolderResolver(how)
  try {
    for (const batch of batches) for (const { folder } of batch) await makeFolders.getFolderId(folder)
    if (how.dryRun) return { created, folders: makeFolders.made(), failure: null }
    for (const batch of batches) created.push(...(await createBatch(batch, makeFolders.getFolderId, how)))
    return { created, folders: makeFolders.made(), failure: null }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { created, folders: makeFolders.made(), failure: error }
  }
}

async function createBatch(
  batch: readonly NewTestCase[],
  getFolderId: (names: readonly string[]) => Promise<string | null>,
  { projectId, session, about }: CreateOptions,
): Promise<string[]> {
  const items = []
  for (const { folder, body } of batch) items.push({ ...body, folder_id: await getFolderId(folder) })
  const reply = await session.client.call(bulkCreateTestCases, {
    params: { project_id: projectId },
    body: { test_cases: items },
  })
  if (reply.kind === 'success') return reply.data.data.test_cases.map(({ id }) => id)
  const { lines, code } = toCommandError(reply, session.connection, about)
  const [first, last] = [batch.at(0)?.line, batch.at(-1)?.line]
  const errors = reply.kind === 'problem' ? (reply.problem.errors ?? []) : []
  const told = errors.map(({ path, message }) => formatLineError(path, message, batch))
  const mayBeThere = reply.kind !== 'problem' && !(reply.kind === 'unreachable' && !reply.mayHaveReachedServer)
  throw new CommandError(
    [
      mayBeThere
        ? `It is not known whether the test cases of lines ${first} to ${last} were created; those of further lines were not.`
        : `The test cases of lines ${first} to ${last} and of further lines were not created.`,
      ...(told.length > 0 ? told : lines),
    ],
    { code },
  )
}

/** Where the server names a field of its request, the line of the file. */
function formatLineError(path: string, message: string, batch: readonly NewTestCase[]): string {
  const [, index, field = ''] = /^\/test_cases\/(\d+)\/?(.*)$/.exec(path) ?? []
  const line = index === undefined ? undefined : batch[Number(index)]?.line
  return line === undefined
    ? `${toTerminalText(path)} ${toTerminalText(message)}`
    : `line ${line}: ${toTerminalText(field)} ${toTerminalText(message)}`
}

/** Finds folders by their names, and makes those that are missing, each once. */
function createFolderResolver({ projectId, tree, session, about, dryRun }: CreateOptions) {
  const known = new Map<string, string>()
  let made = 0
  const getFolderId = async (names: readonly string[]): Promise<string | null> => {
    if (names.length === 0) return null
    const path = joinPath(names)
    const id = tree.find(path) ?? known.get(path)
    if (id !== undefined) return id
    const parentId = await getFolderId(names.slice(0, -1))
    made += 1
    const newId = dryRun ? path : await create(names.at(-1) ?? '', parentId)
    known.set(path, newId)
    return newId
  }
  const create = async (name: string, parentId: string | null): Promise<string> => {
    const body = { name, parent_id: parentId }
    const reply = await session.client.call(createFolder, { params: { project_id: projectId }, body })
    return expectSuccess(reply, session, about).data.data.id
  }
  return { getFolderId, made: () => made }
}
