import { createFolder } from '@caseward/client/endpoints'

import { type Connection, expectSuccess } from '../../connect.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { type FolderTree, joinPath } from '@caseward/case-files/folder-tree'

/** Finds folders by their names, and creates each missing one once. */
export interface FolderResolver {
  /** Returns the id of a folder; null for the top level. */
  getId(names: readonly string[]): Promise<string | null>
  getCreatedCount(): number
}

interface ResolverOptions {
  readonly projectId: string
  readonly tree: FolderTree
  readonly connection: Connection
  readonly subject: RequestSubject
  /** Whether missing folders are only counted. */
  readonly dryRun: boolean
}

export function createFolderResolver(options: ResolverOptions): FolderResolver {
  const { projectId, tree, connection, subject, dryRun } = options
  const createdIds = new Map<string, string>()
  const getId = async (names: readonly string[]): Promise<string | null> => {
    if (names.length === 0) return null
    const path = joinPath(names)
    const existingId = tree.findId(path) ?? createdIds.get(path)
    if (existingId !== undefined) return existingId
    const parentId = await getId(names.slice(0, -1))
    const id = dryRun ? path : await create(names.at(-1) ?? '', parentId)
    createdIds.set(path, id)
    return id
  }
  const create = async (name: string, parentId: string | null): Promise<string> => {
    const body = { name, parent_id: parentId }
    const reply = await connection.client.call(createFolder, { params: { project_id: projectId }, body })
    return expectSuccess(reply, connection, subject).data.data.id
  }
  return { getId, getCreatedCount: () => createdIds.size }
}
