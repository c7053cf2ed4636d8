import type { Encoding } from '@caseward/case-files/decode-text'
import type { FileChoices } from '@caseward/case-files/to-import-rows'

import { FileError } from './file-error.ts'
import type { FileSummary, SizedRow, TableMessage, TableReplies, TableRequest } from './table-requests.ts'

/** Reads and writes files in a worker. */
export interface TableWorker {
  /** @throws {FileError} */
  read(file: Blob, options?: { encoding?: Encoding | undefined; sheet?: string | undefined }): Promise<FileSummary>
  /** Converts the rows of the file that was read last. */
  convert(choices: FileChoices): Promise<readonly SizedRow[]>
  /** Writes an Excel file. */
  write(rows: readonly (readonly string[])[], sheet: string): Promise<Blob>
  close(): void
}

/** Files that were made to be slow end here. The worker is closed after an error. */
const MAX_READ_MS = 120_000

interface Waiting {
  resolve: (value: TableReplies[keyof TableReplies]) => void
  reject: (error: Error) => void
}

/** Starts a worker. Its code is loaded only now. */
export function startTableWorker(): TableWorker {
  const worker = new Worker(new URL('./table.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<TableMessage>) => {
    const { resolve, reject } = waiting.get(data.id) ?? {}
    waiting.delete(data.id)
    if ('value' in data) resolve?.(data.value)
    else reject?.(data.isFileError ? new FileError(data.error) : new Error(data.error))
  })
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) {
      reject(new FileError('The code that reads files could not be loaded. Check your connection and try again.'))
    }
    waiting.clear()
  })
  const send = <Kind extends keyof TableReplies>(request: TableRequest & { kind: Kind }) =>
    new Promise<TableReplies[Kind]>((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve: (value) => resolve(value as TableReplies[Kind]), reject })
      // Workers have no origin, unlike windows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage({ id: lastId, request })
    })
  return {
    read: (file, options = {}) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(tooSlowError()), MAX_READ_MS)
      })
      return Promise.race([send({ kind: 'read', file, ...options }), timeout]).finally(() => clearTimeout(timer))
    },
    convert: (choices) => send({ kind: 'convert', choices }),
    write: (rows, sheet) => send({ kind: 'write', rows, sheet }),
    close: () => worker.terminate(),
  }
}

const tooSlowError = () =>
  new FileError('Reading the file took longer than two minutes. Split it into several files, or save it as CSV.')
