import { focusContent } from '../../shell/use-focus-on-navigation.ts'

/** Returns the row of the table that the keys act on; null if there is none. */
export const findCurrentRow = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]')

/**
 * Gives the focus to the current row after what had it has gone: otherwise the next Tab would begin at the top of the page.
 * A dialog calls it when it is removed (`useEffect(() => returnFocusToRow, [])`): in a busy browser, what is called when it is
 * closed comes before the dialog has given the focus back.
 */
export function returnFocusToRow(): void {
  // After the effects of what is gone: a dialog that closes gives the focus back itself.
  requestAnimationFrame(() => setTimeout(focusRowIfLost))
}

function focusRowIfLost(): void {
  if (document.activeElement !== document.body) return
  const row = findCurrentRow()
  if (row === null) focusContent()
  else row.focus()
}
