import { cleanName } from '@caseward/matching/clean-name'
import type { FolderRecord, OwnSource } from '@caseward/importers/records'
import { cutText } from '@caseward/matching/note'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { MAX_FOLDER_LEVELS } from '../folders/folder-tree.ts'
import { selectFolders } from '../folders/folders.queries.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import { createMovingTree, type FolderValues, planFolderChange } from './change-folders.ts'
import type { ImportWork } from './import-work.ts'
import { planSources } from './own-sources.ts'
import { selectLinks, type Source, toKeyDigest } from './source-links.queries.ts'

/** A folder of the source as it is stored. */
export interface PlannedFolder {
  id: string
  name: string
  parent_id: string | null
  details: Record<string, unknown>
  /** What the source has said, as far as it is here; missing in plans of earlier versions. */
  field_digests?: Record<string, string>
  /** Of one that is renamed or moved, what was here. */
  before?: FolderValues | null
  /** What other tools call it. */
  sources?: readonly OwnSource[]
}

/** The folders of a source, and where their test cases go. */
export interface FolderTargets {
  /** Ids of folders here, by key; null for the top level. */
  ids: ReadonlyMap<string, string | null>
  /** Order in the tree, by key. */
  places: ReadonlyMap<string, number>
  /** Names from the top, by key. */
  paths: ReadonlyMap<string, readonly string[]>
}

const PAGE = 2000
const MAX_NAME = 255

interface Node {
  seq: number
  record: FolderRecord
  children: Node[]
}

/**
 * Plans the folders of an import: those that are there are found by key, then by name in their place.
 * @param options.isSelf whether the file is an export of this project, and its keys are ids here
 * @param options.restoresDeleted whether folders that were deleted here are created again
 */
export async function planFolders(
  db: Database,
  work: ImportWork,
  source: Source,
  { isSelf, format, restoresDeleted }: { isSelf: boolean; format: string; restoresDeleted: boolean },
): Promise<FolderTargets> {
  const { claim } = work
  const nodes = await readNodes(db, work)
  const roots = connect(nodes)
  const current = await selectFolders(db, claim.projectId)
  const existing = new Map(current.map((folder) => [folder.id, folder]))
  const byPlace = new Map(current.toReversed().map((folder) => [toPlace(folder.parent_id, folder.name), folder.id]))
  const links = await selectLinks(
    db,
    claim.projectId,
    source,
    'folder',
    nodes.map(({ record }) => toKeyDigest(record.key)),
  )
  const ids = new Map<string, string | null>()
  const places = new Map<string, number>()
  const paths = new Map<string, readonly string[]>()
  const used = new Set([...links.values()].map(({ target }) => target))
  const tree = createMovingTree(current)
  const planned: PlannedRecord[] = []

  // A stack: exports have deep trees, and hostile ones deeper.
  const stack: {
    node: Node
    parentId: string | null
    path: string[]
    depth: number
    aboveId: string | null
    joined: string
    isPlaced: boolean
  }[] = []
  const push = (children: readonly Node[], rest: Omit<(typeof stack)[number], 'node'>) => {
    for (const node of children.toReversed()) stack.push({ node, ...rest })
  }
  push(roots, { parentId: null, path: [], depth: 0, aboveId: null, joined: '', isPlaced: true })
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { node, parentId, path, depth, aboveId, joined, isPlaced } = item
    const { record, seq } = node
    const name = toName(record.name)
    const ownPath = [...path, name]
    places.set(record.key, places.size + 1)
    paths.set(record.key, ownPath)
    // Deeper levels stand beside the tenth, with all names in theirs.
    const isTooDeep = depth >= MAX_FOLDER_LEVELS
    const storedName = isTooDeep ? cutText(`${joined} / ${name}`, MAX_NAME).trim() : name
    const storedParent = isTooDeep ? aboveId : parentId
    const target = findTarget()
    ids.set(record.key, target.id)
    const details = record.description?.trim() ? { description: record.description } : {}
    const { values, before, digests, changed, isKept } = planFolderChange(
      { name: storedName, parent_id: storedParent },
      {
        id: target.id ?? '',
        found: target.action === 'unchanged' ? existing.get(target.id ?? '') : undefined,
        link: isSelf ? undefined : links.get(toKeyDigest(record.key)),
        tree,
      },
      { format, isPlaced },
    )
    const action = before === null ? target.action : 'update'
    planned.push({
      seq,
      action,
      losses: [...(isTooDeep ? ['folder_depth'] : []), ...(isKept ? ['conflict_kept'] : [])],
      changed,
      planned: { id: target.id, ...values, details, field_digests: digests, before, ...toSources(record) },
      place: places.size,
      target: target.id,
      is_done: action === 'deleted_here',
    })
    push(node.children, {
      parentId: target.id,
      path: ownPath,
      depth: depth + 1,
      aboveId: isTooDeep ? aboveId : storedParent,
      joined: storedName,
      isPlaced: target.action !== 'deleted_here',
    })

    function findTarget(): { id: string | null; action: PlannedRecord['action'] } {
      const link = links.get(toKeyDigest(record.key))
      if (link !== undefined && (existing.has(link.target) || !restoresDeleted)) {
        return existing.has(link.target)
          ? { id: link.target, action: 'unchanged' }
          : { id: storedParent, action: 'deleted_here' }
      }
      if (isSelf && existing.has(record.key) && !used.has(record.key)) {
        used.add(record.key)
        return { id: record.key, action: 'unchanged' }
      }
      const same = byPlace.get(toPlace(storedParent, storedName))
      if (same !== undefined && !used.has(same)) {
        used.add(same)
        return { id: same, action: 'unchanged' }
      }
      const id = uuidv7()
      used.add(id)
      tree.move(id, storedParent)
      return { id, action: 'create' }
    }
  }
  for (let from = 0; from < planned.length; from += PAGE) {
    await updatePlannedRecords(db, claim, planned.slice(from, from + PAGE))
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
  return { ids, places, paths }
}

const toSources = ({ sources }: FolderRecord) => (sources === undefined ? {} : { sources: planSources(sources) })

const toPlace = (parentId: string | null, name: string) => `${parentId ?? ''}/${name}`

const toName = (name: string): string => {
  const clean = cutText(cleanName(name).replaceAll(/\s+/g, ' ').trim(), MAX_NAME).trim()
  return clean === '' ? 'Untitled' : clean
}

async function readNodes(db: Database, { claim }: ImportWork): Promise<Node[]> {
  const nodes: Node[] = []
  for (let after = 0; ;) {
    const rows = await selectRecords<FolderRecord>(db, claim, { kind: 'folder', after, limit: PAGE })
    nodes.push(...rows.map(({ seq, record }) => ({ seq, record, children: [] })))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return nodes
    after = last.seq
  }
}

/** Connects folders with their parents, which may stand behind them. A folder within itself comes to the top. */
function connect(nodes: readonly Node[]): Node[] {
  const byKey = new Map(nodes.map((node) => [node.record.key, node]))
  const isReachable = findReachable(nodes, byKey)
  const roots: Node[] = []
  for (const node of nodes) {
    const parent = node.record.parent === null ? undefined : byKey.get(node.record.parent)
    if (parent === undefined || !isReachable.has(node)) roots.push(node)
    else parent.children.push(node)
  }
  const order = (list: readonly Node[]) =>
    list.toSorted((a, b) => a.record.position - b.record.position || a.seq - b.seq)
  for (const node of nodes) node.children = order(node.children)
  return order(roots)
}

/** The folders from which a way leads to the top. */
function findReachable(nodes: readonly Node[], byKey: ReadonlyMap<string, Node>): Set<Node> {
  const reachable = new Set<Node>()
  for (const start of nodes) {
    const way: Node[] = []
    const seen = new Set<Node>()
    let node: Node | undefined = start
    while (node !== undefined && !reachable.has(node) && !seen.has(node)) {
      seen.add(node)
      way.push(node)
      const { parent }: FolderRecord = node.record
      node = parent === null ? undefined : byKey.get(parent)
    }
    if (node === undefined || reachable.has(node)) for (const passed of way) reachable.add(passed)
  }
  return reachable
}
