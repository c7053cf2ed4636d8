import type { Selection } from '../../ui/table/selection.ts'
import type { RunRow } from './run-rows.ts'

type FolderRow = Extract<RunRow, { kind: 'folder' }>

/** What the table shows as selected: results, and the heads of folders all of whose results are. */
export function addFolderHeads(results: Selection, rows: readonly RunRow[]): Selection {
  if (results.size === 0) return results
  const heads = listFolders(rows).filter(({ resultIds }) => resultIds.every((id) => results.has(id)))
  return new Set([...results, ...heads.map(({ id }) => id)])
}

/**
 * Returns the selected results after the table has changed its selection. A head that is selected alone stands for all
 * results of its folder. Where it is one of several rows, the others speak for themselves, unless the folder is closed.
 */
export function replaceFolderHeads(before: Selection, next: Selection, rows: readonly RunRow[]): Selection {
  const isChanged = (id: string) => before.has(id) !== next.has(id)
  const folders = listFolders(rows)
  const changedFolders = folders.filter(({ id }) => isChanged(id))
  const changeCount = Math.abs(next.size - before.size)
  const isAlone = changedFolders.length === 1 && changeCount === 1
  const results = new Set(next)
  for (const { id, resultIds, isOpen } of changedFolders) {
    if (isOpen && !isAlone) continue
    for (const resultId of resultIds) {
      if (next.has(id)) results.add(resultId)
      else results.delete(resultId)
    }
  }
  for (const { id } of folders) results.delete(id)
  return results
}

const listFolders = (rows: readonly RunRow[]): FolderRow[] => rows.filter((row) => row.kind === 'folder')
