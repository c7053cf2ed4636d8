import type { Folder, ResultRow, ResultStatus } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { buildFolderPath } from './folder-paths.ts'
import { buildRunRows } from './run-rows.ts'

const folder = (id: string, parent_id: string | null) =>
  ({ id, name: id.toUpperCase(), parent_id, position: 0 }) as Folder
const folders = [folder('b', 'a'), folder('a', null)]
const row = (id: string, folder_id: string | null, status: ResultStatus = 'passed') =>
  ({ id, folder_id, status }) as ResultRow

describe('buildRunRows', () => {
  const rows = [row('r1', 'b', 'failed'), row('r2', null), row('r3', 'a')]

  it('puts the results of a folder below its head, and those without a folder last', () => {
    const built = buildRunRows(rows, folders, new Set())
    expect(built.map(({ id }) => id)).toEqual(['folder:a', 'r3', 'folder:b', 'r1', 'folder:none', 'r2'])
    expect(built[2]).toMatchObject({ path: ['A', 'B'], count: 1, counts: { failed: 1, passed: 0 }, isOpen: true })
  })

  it('hides the results of a closed folder, but not its head', () => {
    const built = buildRunRows(rows, folders, new Set(['folder:b', 'folder:none']))
    expect(built.map(({ id }) => id)).toEqual(['folder:a', 'r3', 'folder:b', 'folder:none'])
  })

  it('has no heads if no result is in a folder', () => {
    expect(buildRunRows([row('r2', null)], folders, new Set()).map(({ kind }) => kind)).toEqual(['result'])
  })
})

describe('buildFolderPath', () => {
  it('starts at the top level, and ends at a circle', () => {
    expect(buildFolderPath('b', folders).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(buildFolderPath(null, folders)).toEqual([])
    expect(buildFolderPath('a', [folder('a', 'b'), folder('b', 'a')]).map(({ id }) => id)).toEqual(['b', 'a'])
  })
})
