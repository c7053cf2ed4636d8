import { holdTyping } from './hold-typing.ts'

const FIELD = 'input:not([type=checkbox],[type=radio],[type=button]),textarea,select'
/** Longer than a request may take. What is not there by then does not come. */
const LONGEST_MS = 20_000

/**
 * Keeps what is typed for the field that is about to open, and puts it there once the field has the focus. Without this,
 * letters that are typed while code or a test case is being loaded would act as keys of the page.
 * @returns a function that ends it
 */
export function holdTypingForField(): () => void {
  const stop = () => {
    clearTimeout(timer)
    document.removeEventListener('focusin', deliver)
    document.removeEventListener('mousedown', goOn)
    window.removeEventListener('keydown', passToField, { capture: true })
    return held.release()
  }
  function passToField({ target }: KeyboardEvent): void {
    if (target instanceof Element && target.matches(FIELD)) stop()
  }
  function deliver({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return
    const isField = target.matches(FIELD)
    if (!isField && target.closest('[role=dialog],[role=alertdialog]') === null) return
    const typed = stop()
    // As if it was typed: React and Undo learn of it.
    if (isField && typed !== '') document.execCommand('insertText', false, typed)
  }
  /** The user goes on elsewhere. The second press of a double click on what opens the field is not that. */
  function goOn({ detail }: MouseEvent): void {
    if (detail < 2) stop()
  }
  // Before the other listener, so that it is gone when the user types in another field.
  window.addEventListener('keydown', passToField, { capture: true })
  const held = holdTyping(stop, window)
  const timer = setTimeout(stop, LONGEST_MS)
  document.addEventListener('focusin', deliver)
  document.addEventListener('mousedown', goOn)
  return () => void stop()
}
