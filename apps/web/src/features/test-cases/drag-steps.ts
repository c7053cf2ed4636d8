import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'

type Edge = 'top' | 'bottom'

interface DragOptions {
  /** Where others can be dropped. */
  readonly edges?: readonly Edge[]
  /** Whether it only takes others, and stays where it is. */
  readonly isFixed?: boolean
}

/**
 * Makes a step draggable by its handle, the first button in it.
 * @param onDrop called on the step at whose edge another one is dropped, with the key and the index of that one
 * @param getIndex returns the index of this step
 * @returns the cleanup
 */
export function makeStepDraggable(
  element: HTMLElement,
  key: number,
  onDrop: (key: number, edge: Edge, from: number) => void,
  getIndex: () => number,
  { edges = ['top', 'bottom'], isFixed = false }: DragOptions = {},
): () => void {
  const clear = () => delete element.dataset['drop']
  const list = element.parentElement
  const handle = element.querySelector('button')
  return combine(
    clear,
    isFixed
      ? clear
      : draggable({
          element,
          ...(handle === null ? {} : { dragHandle: handle }),
          getInitialData: () => ({ stepKey: key, list, from: getIndex() }),
        }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data['list'] === list && source.data['stepKey'] !== key,
      getData: ({ input }) => attachClosestEdge({}, { element, input, allowedEdges: [...edges] }),
      onDrag({ self }) {
        const edge = extractClosestEdge(self.data)
        if (edge !== null) element.dataset['drop'] = edge
      },
      onDragLeave: clear,
      onDrop({ self, source }) {
        clear()
        const edge = extractClosestEdge(self.data)
        const { stepKey, from } = source.data
        if (typeof stepKey === 'number' && typeof from === 'number' && (edge === 'top' || edge === 'bottom')) {
          onDrop(stepKey, edge, from)
        }
      },
    }),
  )
}
