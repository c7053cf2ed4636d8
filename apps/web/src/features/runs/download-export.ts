import type { Run } from '@caseward/client/endpoints'

import { download } from '../../download.ts'

/** The server refuses larger Excel files. */
export const MAX_EXCEL_ROWS = 10_000

/** Saves all results of a run as a file, which the server writes. */
export function downloadExport({ id }: Pick<Run, 'id'>, format: 'csv' | 'xlsx'): void {
  download(`/v1/runs/${encodeURIComponent(id)}/export?format=${format}`)
}
