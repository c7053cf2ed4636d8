/** What is further away from the bottom of the window, in pixels, does not stick to it: the window is wider, or scrolls. */
const MAX_GAP = 100

/**
 * The ref of what sticks to the bottom of the window. Toasts are above it: the styles get the distance of its upper edge from
 * the bottom as `--bottom-part`.
 */
export function bottomPart(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined
  const { style } = document.documentElement
  const update = () => {
    const { top, bottom } = element.getBoundingClientRect()
    // What is further down in a page that scrolls is below the window.
    const isAtBottom = Math.abs(window.innerHeight - bottom) < MAX_GAP
    style.setProperty('--bottom-part', isAtBottom ? `${window.innerHeight - top}px` : '0px')
  }
  const observer = new ResizeObserver(update)
  observer.observe(element)
  window.addEventListener('resize', update)
  return () => {
    observer.disconnect()
    window.removeEventListener('resize', update)
    style.removeProperty('--bottom-part')
  }
}
