/** The format under which the tree of folders recognises test cases that are dragged. */
export const CASES_FORMAT = 'application/x-caseward-test-cases'

/** Reads what was dropped on a folder. Something else may have the same format: what is no list of ids is none. */
export function readDroppedCases(transfer: DataTransfer): readonly string[] {
  try {
    const ids: unknown = JSON.parse(transfer.getData(CASES_FORMAT))
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
