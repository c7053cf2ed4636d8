import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { joinPath, splitPath, createFolderTree } from './folder-paths.ts'

const name = fc
  .string({ unit: fc.constantFrom('/', '\\', ' ', 'a', '\n', ',', 'é') })
  .map((text) => text.trim())
  .filter((text) => text !== '')

describe('paths', () => {
  it('come back as the names that they were made of', () => {
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(splitPath(joinPath(names))).toEqual(names)
      }),
      { numRuns: 2000 },
    )
  })

  it('may have spaces around names, and a slash at either end', () => {
    expect(splitPath('/ Checkout / Payment /')).toEqual(['Checkout', 'Payment'])
    expect(splitPath(String.raw`Input\/Output`)).toEqual(['Input/Output'])
  })
})

describe('treeOf', () => {
  const tree = createFolderTree([
    { id: '1', name: 'Shop', parent_id: null },
    { id: '2', name: 'In/Out', parent_id: '1' },
    { id: '3', name: 'In/Out', parent_id: '1' },
  ])

  it('knows the path of a folder, and none of no folder', () => {
    expect([tree.getPath('2'), tree.getPath(null)]).toEqual([String.raw`Shop/In\/Out`, ''])
  })

  it('finds a folder by its id or path, and of twins the first', () => {
    expect(['3', 'Shop', String.raw`Shop/In\/Out`, 'Shop/In', ''].map(tree.find)).toEqual([
      '3',
      '1',
      '2',
      undefined,
      undefined,
    ])
  })
})
