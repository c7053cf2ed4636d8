import { FileError } from './file-error.ts'
import { createTableHandler, type TableMessage, type TableRequest } from './table-requests.ts'

/* Reads and writes files beside the page, which stays usable meanwhile. */

const handle = createTableHandler()

addEventListener('message', ({ data }: MessageEvent<{ id: number; request: TableRequest }>) => {
  const { id, request } = data
  const reply = (message: TableMessage) => postMessage(message)
  handle(request).then(
    (value) => reply({ id, value }),
    (error: unknown) => {
      const isFileError = error instanceof FileError
      reply({ id, error: isFileError ? error.message : String(error), isFileError })
    },
  )
})
