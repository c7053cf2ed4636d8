import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getChildren, sortForDisplay, isSameOrDescendant, getDepth, getHeight, type TreeFolder } from './folder-tree.ts'

/** Any tree: each folder lies in one made before it, or at the top; listed in any order. */
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

describe('inDisplayOrder', () => {
  it('keeps every folder, once', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const ids = sortForDisplay(tree).map(({ id }) => id)
        expect(ids.toSorted()).toEqual(tree.map(({ id }) => id).toSorted())
      }),
    )
  })

  it('puts what lies in a folder directly behind it, before anything else', () => {
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

  it('puts siblings in order of their positions', () => {
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

  it('does not depend on the order in which folders come', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(sortForDisplay(tree.toReversed())).toEqual(sortForDisplay(tree))
      }),
    )
  })
})

describe('levels', () => {
  it('above a folder are its ancestors', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id, parent_id } of tree) {
          expect(getDepth(tree, parent_id)).toBe(getAncestors(tree, id).length - 1)
        }
      }),
    )
  })

  it('of a folder reach down to the deepest that lies within it', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id, parent_id } of tree) {
          const deepest = Math.max(
            ...tree
              .filter((one) => isSameOrDescendant(tree, one.id, id))
              .map((one) => getDepth(tree, one.parent_id) + 1),
          )
          expect(getHeight(tree, id)).toBe(deepest - getDepth(tree, parent_id))
        }
      }),
    )
  })
})

describe('isWithin', () => {
  it('holds for a folder’s ancestors and itself alone', () => {
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
