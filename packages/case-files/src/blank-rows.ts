/** Splits off rows whose cells are all empty, which spreadsheets leave at the end, and people between blocks. */
export function removeBlankRows<T extends { readonly cells: readonly string[] }>(
  rows: readonly T[],
): { rows: T[]; blankCount: number } {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  return { rows: filled, blankCount: rows.length - filled.length }
}
