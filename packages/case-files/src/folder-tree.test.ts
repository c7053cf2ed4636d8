import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createFolderTree, joinPath, splitPath } from './folder-tree.ts'

const name = fc
  .string({ unit: fc.constantFrom('/', '\\', ' ', 'a', '\n', ',', 'é') })
  .map((text) => text.trim())
  .filter((text) => text !== '')

describe('splitPath', () => {
  it('returns the names that joinPath was given, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(splitPath(joinPath(names))).toEqual(names)
      }),
      { numRuns: 2000 },
    )
  })

  it('ignores spaces around names and a slash at either end', () => {
    expect(splitPath('/ Checkout / Payment /')).toEqual(['Checkout', 'Payment'])
    expect(splitPath(String.raw`Input\/Output`)).toEqual(['Input/Output'])
  })
})

describe('createFolderTree', () => {
  const tree = createFolderTree([
    { id: '1', name: 'Shop', parent_id: null },
    { id: '2', name: 'In/Out', parent_id: '1' },
    { id: '3', name: 'In/Out', parent_id: '1' },
  ])

  it('returns the path of a folder, and an empty path for the top level', () => {
    expect([tree.getPath('2'), tree.getPath(null)]).toEqual([String.raw`Shop/In\/Out`, ''])
  })

  it('finds a folder by id or path, and the first one if several have the same path', () => {
    expect(['3', 'Shop', String.raw`Shop/In\/Out`, 'Shop/In', ''].map(tree.findId)).toEqual([
      '3',
      '1',
      '2',
      undefined,
      undefined,
    ])
  })
})
