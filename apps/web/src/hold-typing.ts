/** What is typed for a field whose code is still being loaded. */
export interface HeldTyping {
  /** Ends it: keys act as usual again. @returns what was typed; empty text the second time */
  release(): string
}

/**
 * Keeps the keys from the page until the window has the focus, and collects the text that is typed. Without this, letters that are meant for a window
 * that is still being loaded would act on the page below, and set results.
 * @param onCancel called on `Esc`, after which keys act as usual
 */
export function holdTyping(
  onCancel: () => void,
  target: Pick<Window, 'addEventListener' | 'removeEventListener'>,
): HeldTyping {
  let text = ''
  const release = () => {
    target.removeEventListener('keydown', handleKey, { capture: true })
    const typed = text
    text = ''
    return typed
  }
  function handleKey(event: KeyboardEvent): void {
    if (isInDialog(event)) {
      release()
      return
    }
    event.stopImmediatePropagation()
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    // Letters of other alphabets, too; the names of other keys are longer than one character.
    if (isPlain && Array.from(event.key).length === 1) text += event.key
    else if (event.key === 'Backspace') text = Array.from(text).slice(0, -1).join('')
    else if (event.key === 'Escape') {
      release()
      onCancel()
    } else if (!isPlain && event.key.toLowerCase() !== 'k') {
      // Keys of the browser, such as Ctrl R, work as always.
      return
    }
    event.preventDefault()
  }
  target.addEventListener('keydown', handleKey, { capture: true })
  return { release }
}

const isInDialog = ({ target }: KeyboardEvent) =>
  ((target as Partial<Element> | null)?.closest?.('[role=dialog]') ?? null) !== null
