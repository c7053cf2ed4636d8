import { AssistiveDndState, type TreeInstance } from '@headless-tree/core'

import type { TreeFolder } from './folders.ts'

/** Begins to move the current folder with the arrow keys. */
export function startKeyboardDrag(tree: TreeInstance<TreeFolder>): void {
  const item = tree.getFocusedItem()
  tree.startKeyboardDrag([item])
  if (tree.getState().dnd?.dragTarget !== undefined) return
  // The library looks for a place below the folder, which the last one does not have.
  const above = item.getItemAbove()
  if (above === undefined || tree.getConfig().canDrop?.([item], { item: above }) === false) {
    tree.stopKeyboardDrag()
    return
  }
  tree.applySubStateUpdate('dnd', { draggedItems: [item], dragTarget: { item: above } })
  tree.applySubStateUpdate('assistiveDndState', AssistiveDndState.Started)
}
