import type { Folder } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { countByFolder, getSubtree, groupByFolder, orderFolders } from './group-by-folder.ts'

const folder = (id: string, parent_id: string | null = null, position = 0): Folder => ({
  id,
  name: id.toUpperCase(),
  parent_id,
  position,
  test_case_count: 0,
  created_at: '',
  updated_at: '',
})
const row = (id: string, folder_id: string | null) => ({ id, folder_id })

// account (1), checkout (0) > payment > card
const folders = [
  folder('account', null, 1),
  folder('card', 'payment'),
  folder('payment', 'checkout'),
  folder('checkout'),
]

describe('groupByFolder', () => {
  it('returns folders in the order of the tree, with their path, and rows without folder last', () => {
    const rows = [row('1', null), row('2', 'account'), row('3', 'card'), row('4', 'checkout'), row('5', 'card')]
    expect(
      groupByFolder(rows, folders).map(({ folder: own, path, rows: ownRows }) => [
        own?.id,
        path.join(' › '),
        ownRows.map(({ id }) => id).join(),
      ]),
    ).toEqual([
      ['checkout', 'CHECKOUT', '4'],
      ['card', 'CHECKOUT › PAYMENT › CARD', '3,5'],
      ['account', 'ACCOUNT', '2'],
      [undefined, '', '1'],
    ])
  })

  it('keeps the rows of a folder that is not known yet', () => {
    expect(groupByFolder([row('1', 'new')], folders)).toEqual([{ folder: null, path: [], rows: [row('1', 'new')] }])
  })
})

describe('orderFolders', () => {
  it('keeps a folder whose parent is missing', () => {
    expect(orderFolders([folder('b', 'deleted'), folder('a')]).map(({ folder: { id } }) => id)).toEqual(['a', 'b'])
  })
})

describe('countByFolder', () => {
  it('counts rows of a folder and of its subfolders', () => {
    const counts = countByFolder([row('1', 'card'), row('2', 'card'), row('3', 'checkout'), row('4', null)], folders)
    expect(Object.fromEntries([...counts].map(([id, count]) => [String(id), count]))).toEqual({
      account: { own: 0, total: 0 },
      card: { own: 2, total: 2 },
      payment: { own: 0, total: 2 },
      checkout: { own: 1, total: 3 },
      null: { own: 1, total: 1 },
    })
  })

  it('counts every row once at the top level, for any folders and rows', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const tree = fc.uniqueArray(fc.tuple(id, fc.option(id)), { selector: ([own]) => own })
    const rows = fc.array(fc.option(id))
    fc.assert(
      fc.property(tree, rows, (pairs, folderIds) => {
        // A parent that comes later would make a circle.
        const ids: string[] = pairs.map(([own]) => own)
        const made = pairs.map(([own, parent], index) =>
          folder(own, parent !== null && ids.indexOf(parent) < index ? parent : null),
        )
        const all = folderIds.map((folderId, index) => row(String(index), folderId))
        const counts = countByFolder(all, made)
        const roots = made.filter(({ parent_id }) => parent_id === null || !ids.includes(parent_id))
        const total = [...roots.map(({ id: root }) => root), null].reduce(
          (sum, root) => sum + (counts.get(root)?.total ?? 0),
          0,
        )
        expect(total).toBe(all.length)
      }),
    )
  })

  it('ends when two folders contain each other', () => {
    const counts = countByFolder([row('1', 'a')], [folder('a', 'b'), folder('b', 'a')])
    expect(counts.get('a')).toEqual({ own: 1, total: 1 })
  })
})

describe('getSubtree', () => {
  it('returns a folder and all its subfolders', () => {
    expect([...getSubtree('checkout', folders)]).toEqual(['checkout', 'payment', 'card'])
    expect([...getSubtree('card', folders)]).toEqual(['card'])
  })
})
