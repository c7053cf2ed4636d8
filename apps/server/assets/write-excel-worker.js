// Writes an Excel file of the rows in `workerData`, the first of which has the headings, in a thread of its own.
import { parentPort, workerData } from 'node:worker_threads'

import writeFile from 'write-excel-file/node'

const { rows, sheet } = workerData

/** Widths of columns in characters. */
const MIN_WIDTH = 10
const MAX_WIDTH = 60
/** Enough rows to know how wide a column is. */
const SAMPLE_ROWS = 200

const getWidth = (column) => {
  const lengths = rows.slice(0, SAMPLE_ROWS).flatMap((cells) => cells[column].split('\n').map(({ length }) => length))
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...lengths))
}

const data = rows.map((cells, index) =>
  cells.map((value) => ({
    value,
    type: String,
    alignVertical: 'top',
    ...(index === 0 ? { fontWeight: 'bold' } : { wrap: value.includes('\n') }),
  })),
)
const columns = rows[0].map((_, index) => ({ width: getWidth(index) }))
const content = await writeFile(data, { sheet, columns, stickyRowsCount: 1 }).toBuffer()
// Not the window of a browser: it has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage(content)
