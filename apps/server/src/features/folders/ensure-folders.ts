import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { notifyFoldersChanged } from '../events/notify-distributed-change.ts'
import { getDepth, MAX_FOLDER_LEVELS } from './folder-tree.ts'
import { selectFolders } from './folders.queries.ts'

/** Joins the names of levels that are too deep. */
const LEVEL_SEPARATOR = ' > '
const MAX_NAME_LENGTH = 255

/** A folder that does not exist yet. */
export interface NewFolder {
  id: string
  parentId: string | null
  name: string
  position: number
}

/** The folders of paths, and those of them that are missing. */
interface FolderPlan {
  /** The id of the folder of each path; null for the top level. */
  ids: (string | null)[]
  missing: NewFolder[]
}

/**
 * Finds the folders with these paths below a folder, and creates those that are missing behind their siblings. Levels below
 * the tenth become part of its name. The caller holds the lock on the project.
 * @param baseId null for the top level
 * @param paths names from the outermost folder, each 1 to 255 characters
 * @returns the id of the folder of each path; the base for an empty path
 * @throws {Problem} 400 when the base is not a folder of the project
 */
export async function ensureFolders(
  tx: Database,
  projectId: string,
  baseId: string | null,
  paths: readonly (readonly string[])[],
): Promise<(string | null)[]> {
  const { ids, missing } = await planFolders(tx, projectId, baseId, paths)
  await insertFolders(tx, projectId, missing)
  return ids
}

/**
 * Finds the folders with these paths as {@link ensureFolders} does, without creating any.
 * @throws {Problem} 400 when the base is not a folder of the project
 */
export async function planFolders(
  tx: Database,
  projectId: string,
  baseId: string | null,
  paths: readonly (readonly string[])[],
): Promise<FolderPlan> {
  const folders = await selectFolders(tx, projectId)
  if (baseId !== null && !folders.some(({ id }) => id === baseId)) {
    throw invalidFieldProblem('/folder_id', 'is not a folder of this project')
  }
  const idsByPlace = new Map(folders.toReversed().map(({ id, parent_id, name }) => [toPlace(parent_id, name), id]))
  const nextPositions = new Map<string | null, number>()
  for (const { parent_id: parentId, position } of folders) {
    nextPositions.set(parentId, Math.max(nextPositions.get(parentId) ?? 0, position + 1))
  }
  const missing: NewFolder[] = []
  const levels = MAX_FOLDER_LEVELS - getDepth(folders, baseId)
  const ids = paths.map((path) => {
    let parentId = baseId
    for (const name of limitLevels(path, levels)) {
      const place = toPlace(parentId, name)
      let id = idsByPlace.get(place)
      if (id === undefined) {
        id = uuidv7()
        const position = nextPositions.get(parentId) ?? 0
        nextPositions.set(parentId, position + 1)
        idsByPlace.set(place, id)
        missing.push({ id, parentId, name, position })
      }
      parentId = id
    }
    return parentId
  })
  return { ids, missing }
}

const toPlace = (parentId: string | null, name: string): string => `${parentId ?? ''}/${name}`

function limitLevels(path: readonly string[], levels: number): readonly string[] {
  if (path.length <= levels) return path
  if (levels === 0) return []
  const deepest = path.slice(levels - 1).join(LEVEL_SEPARATOR)
  return [...path.slice(0, levels - 1), cutText(deepest, MAX_NAME_LENGTH).trim()]
}

/** Creates planned folders. The caller has held the lock on the project since the plan was made. */
export async function insertFolders(tx: Database, projectId: string, folders: readonly NewFolder[]): Promise<void> {
  if (folders.length === 0) return
  await sql`
    insert into folders (project_id, id, parent_id, name, position)
    select ${projectId}, * from unnest(
      ${toArrayLiteral(folders.map(({ id }) => id))}::uuid[],
      ${`{${folders.map(({ parentId }) => parentId ?? 'NULL').join(',')}}`}::uuid[],
      ${toArrayLiteral(folders.map(({ name }) => name))}::text[],
      ${`{${folders.map(({ position }) => position).join(',')}}`}::int[]
    )`.execute(tx)
  await notifyFoldersChanged(tx, projectId)
}
