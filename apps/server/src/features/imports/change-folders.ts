import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { notifyFoldersChanged } from '../events/notify-distributed-change.ts'
import { MAX_FOLDER_LEVELS, type TreeFolder } from '../folders/folder-tree.ts'
import { selectFolders } from '../folders/folders.queries.ts'
import { type Comparison, compareTexts, digestTexts } from './compare-texts.ts'
import type { SourceLink } from './source-links.queries.ts'

/** The values of a folder that an import compares. */
export interface FolderValues {
  name: string
  parent_id: string | null
}

/** What a folder was, and what it becomes. */
export interface FolderChange {
  readonly id: string
  readonly from: FolderValues
  readonly to: FolderValues
}

const toTexts = ({ name, parent_id: parentId }: FolderValues) =>
  new Map([
    ['name', name],
    ['parent_id', parentId ?? ''],
  ])

/**
 * Compares a folder of the source with what is here. One that was found by its name stays as it is: only what changes in the source
 * from now on is taken.
 * @param options.isPlaced whether the folder that it is in is here
 */
function compareFolder(
  next: FolderValues,
  found: FolderValues | undefined,
  link: SourceLink | undefined,
  { format, isPlaced }: { format: string; isPlaced: boolean },
): Comparison {
  const texts = toTexts(next)
  const digests = digestTexts(texts)
  if (found === undefined || link === undefined) return { changed: [], conflicts: [], digests }
  // Imports of earlier versions have not said where a folder was.
  const isPlaceKnown = link.field_digests['parent_id'] !== undefined
  const names = isPlaced && isPlaceKnown ? null : ['name']
  const comparison = compareTexts(texts, toTexts(found), link.field_digests, {
    isSameFormat: link.format === format,
    names,
  })
  return isPlaceKnown ? comparison : { ...comparison, digests: { ...digests, ...comparison.digests } }
}

/** A tree of folders that move one after another. */
interface MovingTree {
  /** Whether a folder can be in another one: not within itself, and not too deep. */
  canMove(id: string, parentId: string | null): boolean
  move(id: string, parentId: string | null): void
}

export function createMovingTree(folders: readonly Pick<TreeFolder, 'id' | 'parent_id'>[]): MovingTree {
  const parents = new Map<string, string | null>()
  const children = new Map<string, Set<string>>()
  const move = (id: string, parentId: string | null) => {
    children.get(parents.get(id) ?? '')?.delete(id)
    parents.set(id, parentId)
    const siblings = children.get(parentId ?? '')
    if (siblings === undefined) children.set(parentId ?? '', new Set([id]))
    else siblings.add(id)
  }
  for (const { id, parent_id: parentId } of folders) move(id, parentId)
  const getHeight = (id: string): number =>
    1 + [...(children.get(id) ?? [])].reduce((highest, child) => Math.max(highest, getHeight(child)), 0)
  return {
    move,
    canMove(id, parentId) {
      let depth = 0
      for (let above = parentId; above !== null; above = parents.get(above) ?? null) {
        if (above === id || !parents.has(above)) return false
        depth += 1
      }
      return depth + getHeight(id) <= MAX_FOLDER_LEVELS
    },
  }
}

/** What of a folder changes. */
interface PlannedChange {
  values: FolderValues
  /** What was here; null if nothing changes. */
  before: FolderValues | null
  digests: Record<string, string>
  /** What only the source has changed, and what stays. */
  changed: string[]
  isKept: boolean
}

/**
 * Plans what of a folder changes: only what the source has changed, and nobody here. It moves in the tree.
 * @param next what the source says
 * @param current what is here of it; without a folder or an earlier import, nothing changes
 */
export function planFolderChange(
  next: FolderValues,
  current: { id: string; found: FolderValues | undefined; link: SourceLink | undefined; tree: MovingTree },
  options: { format: string; isPlaced: boolean },
): PlannedChange {
  const { id, found, link, tree } = current
  const { changed, conflicts, digests } = compareFolder(next, found, link, options)
  if (found === undefined || changed.length + conflicts.length === 0) {
    return { values: next, before: null, digests, changed: [], isKept: false }
  }
  const canMove = !changed.includes('parent_id') || tree.canMove(id, next.parent_id)
  const taken = canMove ? changed : changed.filter((name) => name !== 'parent_id')
  const values: FolderValues = {
    name: taken.includes('name') ? next.name : found.name,
    parent_id: taken.includes('parent_id') ? next.parent_id : found.parent_id,
  }
  tree.move(id, values.parent_id)
  return {
    values,
    before: taken.length === 0 ? null : { name: found.name, parent_id: found.parent_id },
    digests,
    changed: [...changed, ...conflicts],
    isKept: conflicts.length > 0 || !canMove,
  }
}

/**
 * Renames and moves folders that still are what they were, each behind its new siblings. What was edited meanwhile stays. The caller
 * holds the lock on the project.
 * @returns the folders of which something stayed
 */
export async function changeFolders(
  tx: Database,
  projectId: string,
  changes: readonly FolderChange[],
): Promise<ReadonlySet<string>> {
  const edited = new Set<string>()
  if (changes.length === 0) return edited
  const folders = await selectFolders(tx, projectId)
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const next = new Map<string | null, number>()
  for (const { parent_id: parentId, position } of folders) {
    next.set(parentId, Math.max(next.get(parentId) ?? 0, position + 1))
  }
  const tree = createMovingTree(folders)
  const written = changes.flatMap(({ id, from, to }) => {
    const now = byId.get(id)
    if (now === undefined) return []
    const isRenamed = to.name !== from.name && now.name === from.name
    const isMoved =
      to.parent_id !== from.parent_id && now.parent_id === from.parent_id && tree.canMove(id, to.parent_id)
    const name = isRenamed ? to.name : now.name
    const parentId = isMoved ? to.parent_id : now.parent_id
    const hasStayed =
      (to.name !== from.name && name !== to.name) || (to.parent_id !== from.parent_id && parentId !== to.parent_id)
    if (hasStayed) edited.add(id)
    if (!isRenamed && !isMoved) return []
    const position = isMoved ? (next.get(parentId) ?? 0) : now.position
    if (isMoved) {
      next.set(parentId, position + 1)
      tree.move(id, parentId)
    }
    return [{ id, name, parent_id: parentId, position }]
  })
  if (written.length === 0) return edited
  await sql`
    update folders f set name = item.name, parent_id = item.parent_id, position = item.position, updated_at = now()
    from json_to_recordset(${toStoredJson(written)}) as item (id uuid, name text, parent_id uuid, position int)
    where f.project_id = ${projectId} and f.id = item.id`.execute(tx)
  await notifyFoldersChanged(tx, projectId)
  return edited
}
