const PRESSABLE = 'button, a[href], [role=menuitem]'
const FIELD = 'input, textarea, select, [contenteditable]'

/**
 * Lets the second press of a double click act only on the button of the first one. What the first press has opened may lie
 * under the pointer by then: the second one neither clicks it nor takes the focus from its field. A press on a disabled
 * button never takes the focus away.
 */
export function guardDoubleClicks(target: Document): void {
  let pressed: Element | null = null
  const find = (event: Event, selector: string) =>
    event.target instanceof Element ? event.target.closest(selector) : null
  // Of a press on a disabled button, browsers tell nothing else, and take the focus from the field.
  target.addEventListener(
    'pointerdown',
    (event) => {
      if (find(event, ':disabled') !== null) event.preventDefault()
    },
    true,
  )
  target.addEventListener(
    'mousedown',
    (event) => {
      if (event.detail < 2) pressed = find(event, PRESSABLE)
      else if (pressed !== null && find(event, FIELD) === null) event.preventDefault()
    },
    true,
  )
  target.addEventListener(
    'click',
    (event) => {
      const isOnPressed = pressed === null || (event.target instanceof Node && pressed.contains(event.target))
      if (event.detail < 2 || isOnPressed || find(event, FIELD) !== null) return
      event.preventDefault()
      event.stopPropagation()
    },
    true,
  )
}
