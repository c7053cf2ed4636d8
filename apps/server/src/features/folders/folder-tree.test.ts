import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getChildren, sortForDisplay, isSameOrDescendant, getDepth, getHeight, type TreeFolder } from './folder-tree.ts'

/** Any tree: each folder is in an earlier one or at the top level; listed in any order. */
const trees = fc
  .array(fc.record({ parent: fc.nat(), position: fc.nat(4) }), { maxLength: 30 })
  .map((folders) =>
    folders.map(({ parent, position }, index): TreeFolder => {
      const at = parent % (index + 1)
      return { id: `f${index}`, parent_id: at === index ? null : `f${at}`, position }
    }),
  )
  .chain((tree) => fc.shuffledSubarray(tree, { minLength: tree.length }))

const getAncestors = (tree: TreeFolder[], id: string | null): string[] => {
  const parent = tree.find((folder) => folder.id === id)?.parent_id ?? null
  return id === null ? [] : [id, ...getAncestors(tree, parent)]
}

describe('sortForDisplay', () => {
  it('returns every folder once', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const ids = sortForDisplay(tree).map(({ id }) => id)
        expect(ids.toSorted()).toEqual(tree.map(({ id }) => id).toSorted())
      }),
    )
  })

  it('puts the descendants of a folder directly after it', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const ordered = sortForDisplay(tree)
        for (const [index, { id }] of ordered.entries()) {
          const inside = ordered.filter((other) => isSameOrDescendant(tree, other.id, id))
          expect(ordered.slice(index, index + inside.length)).toEqual(inside)
        }
      }),
    )
  })

  it('orders siblings by position', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const ordered = sortForDisplay(tree)
        for (const parent of [null, ...tree.map(({ id }) => id)]) {
          const siblings = ordered.filter(({ parent_id }) => parent_id === parent)
          expect(siblings).toEqual(getChildren(tree, parent))
          expect(siblings.map(({ position }) => position)).toEqual(
            siblings.map(({ position }) => position).toSorted((a, b) => a - b),
          )
        }
      }),
    )
  })

  it('returns the same order for any order of its input', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(sortForDisplay(tree.toReversed())).toEqual(sortForDisplay(tree))
      }),
    )
  })
})

describe('getDepth', () => {
  it('returns the number of ancestors', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id, parent_id } of tree) {
          expect(getDepth(tree, parent_id)).toBe(getAncestors(tree, id).length - 1)
        }
      }),
    )
  })
})

describe('getHeight', () => {
  it('returns the number of levels down to the deepest descendant', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id, parent_id } of tree) {
          const deepest = Math.max(
            ...tree
              .filter((folder) => isSameOrDescendant(tree, folder.id, id))
              .map((folder) => getDepth(tree, folder.parent_id) + 1),
          )
          expect(getHeight(tree, id)).toBe(deepest - getDepth(tree, parent_id))
        }
      }),
    )
  })
})

describe('isSameOrDescendant', () => {
  it('is true only for the folder itself and its ancestors', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id } of tree) {
          const ancestors = new Set(getAncestors(tree, id))
          for (const other of tree) expect(isSameOrDescendant(tree, id, other.id)).toBe(ancestors.has(other.id))
        }
      }),
    )
  })
})
