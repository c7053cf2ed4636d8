import { describe, expect, it } from 'vitest'

import type { RunRow } from './run-rows.ts'
import { addFolderHeads, replaceFolderHeads } from './run-selection.ts'

const counts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const folder = (id: string, resultIds: readonly string[], isOpen = true): RunRow => ({
  kind: 'folder',
  id,
  path: [id],
  counts,
  count: resultIds.length,
  resultIds,
  isOpen,
})
const result = (id: string) => ({ kind: 'result', id, row: { id } }) as RunRow
const rows = [folder('A', ['a1', 'a2']), result('a1'), result('a2'), folder('B', ['b1'], false)]
const select = (...ids: string[]) => new Set(ids)

describe('addFolderHeads', () => {
  it('adds the heads of folders all of whose results are selected', () => {
    expect(addFolderHeads(select('a1'), rows)).toEqual(select('a1'))
    expect(addFolderHeads(select('a1', 'a2'), rows)).toEqual(select('a1', 'a2', 'A'))
    expect(addFolderHeads(select('b1'), rows)).toEqual(select('b1', 'B'))
  })
})

describe('replaceFolderHeads', () => {
  it('selects all results of a head that is selected alone, and deselects them with it', () => {
    expect(replaceFolderHeads(select('a1'), select('a1', 'A'), rows)).toEqual(select('a1', 'a2'))
    expect(replaceFolderHeads(select('a1', 'a2', 'A', 'b1', 'B'), select('a1', 'a2', 'b1', 'B'), rows)).toEqual(
      select('b1'),
    )
  })

  it('deselects one result of a selected folder', () => {
    expect(replaceFolderHeads(select('a1', 'a2', 'A'), select('a2', 'A'), rows)).toEqual(select('a2'))
  })

  it('takes a range by its results, and closed folders in it as a whole', () => {
    expect(replaceFolderHeads(select(), select('A', 'a1'), rows)).toEqual(select('a1'))
    expect(replaceFolderHeads(select(), select('a2', 'B'), rows)).toEqual(select('a2', 'b1'))
  })
})
