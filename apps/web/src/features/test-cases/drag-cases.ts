import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'

import { formatNumberOf } from '../../ui/format-count.ts'
import styles from './cases.module.css'
import { CASES_FORMAT } from './dropped-cases.ts'

interface CaseDragOptions {
  readonly id: string
  /** Returns what is dragged with this row: all selected rows if it is one of them. */
  readonly getIds: () => readonly string[]
  /** Returns whether rows can be dropped between others: only in the order of the folders. */
  readonly canReorder: () => boolean
  readonly onDrop: (ids: readonly string[], edge: 'top' | 'bottom') => void
}

/** Makes a row of the table draggable, and a place to drop others beside it. @returns the cleanup */
export function makeCaseDraggable(element: HTMLElement, options: CaseDragOptions): () => void {
  const clear = () => delete element.dataset['drop']
  return combine(
    clear,
    draggable({
      element,
      getInitialData: () => ({ caseIds: options.getIds() }),
      getInitialDataForExternal: () => ({ [CASES_FORMAT]: JSON.stringify(options.getIds()) }),
      onGenerateDragPreview: ({ nativeSetDragImage }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          render({ container }) {
            const preview = document.createElement('div')
            preview.className = styles.preview ?? ''
            const ids = options.getIds()
            preview.textContent = ids.length === 1 ? options.id : formatNumberOf(ids.length, 'test case')
            container.append(preview)
          },
        }),
      onDragStart: () => (element.dataset['dragging'] = ''),
      onDrop: () => delete element.dataset['dragging'],
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => 'caseIds' in source.data && options.canReorder(),
      getData: ({ input }) => attachClosestEdge({}, { element, input, allowedEdges: ['top', 'bottom'] }),
      onDrag({ self, source }) {
        const ids = source.data['caseIds'] as readonly string[]
        const edge = extractClosestEdge(self.data)
        if (edge === null || (ids.length === 1 && ids[0] === options.id)) clear()
        else element.dataset['drop'] = edge
      },
      onDragLeave: clear,
      onDrop({ self, source }) {
        clear()
        const ids = source.data['caseIds'] as readonly string[]
        const edge = extractClosestEdge(self.data)
        const isItself = ids.length === 1 && ids[0] === options.id
        if (!isItself && (edge === 'top' || edge === 'bottom')) options.onDrop(ids, edge)
      },
    }),
  )
}
