import { preferences } from '../../use-preferences.ts'
import { buildColumns, TABLE_NAME } from '../test-cases/case-columns.tsx'
import { FIELD_COLUMN } from '../test-cases/case-view.ts'
import type { ViewPage } from './view-queries.ts'

/** The columns that users show and hide, in their order. */
const optionalColumns = buildColumns({ histories: new Map(), unsentIds: new Set(), getPerson: String }).flatMap(
  ({ id, isOptional }) => (isOptional === true ? id : []),
)

/** Reads which columns of a list are shown; null for pages whose views do not keep them. */
export function readColumns(projectId: string, page: ViewPage): string[] | null {
  if (page !== 'cases') return null
  const { hiddenColumns, fieldColumns } = preferences.get()
  const hidden = hiddenColumns[TABLE_NAME] ?? []
  return [
    ...optionalColumns.filter((id) => !hidden.includes(id)),
    ...(fieldColumns[projectId] ?? []).map((key) => FIELD_COLUMN + key).toSorted(),
  ]
}

/** Shows the columns of a view. Those that no longer exist are left out by the list. */
export function applyColumns(projectId: string, page: ViewPage, columns: readonly string[] | null): void {
  if (page !== 'cases' || columns === null) return
  const { hiddenColumns, fieldColumns } = preferences.get()
  const keys = columns.flatMap((id) => (id.startsWith(FIELD_COLUMN) ? id.slice(FIELD_COLUMN.length) : []))
  preferences.set({
    hiddenColumns: { ...hiddenColumns, [TABLE_NAME]: optionalColumns.filter((id) => !columns.includes(id)) },
    fieldColumns: { ...fieldColumns, [projectId]: keys },
  })
}

/** Whether two lists show the same columns, in whatever order. */
export const haveSameColumns = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id))
