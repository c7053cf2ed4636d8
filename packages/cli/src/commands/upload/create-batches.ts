import type { ReadFile } from './read-upload-file.ts'
import { MAX_REPORT_FILES } from './report-files.ts'

/** How large the reports of one request are at most, in bytes of JSON. The limit of the server is 10 MB. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024
const MAX_BATCH_FILES = 5000

/** A JUnit report that can be sent together with others. */
export interface BatchedFile extends ReadFile {
  readonly xml: string
}

/** Collects small reports, so that 150 of them are one request. */
export interface Batch {
  /** Returns whether the file fits: in an empty batch, too, a large file is sent alone. */
  add(file: ReadFile): boolean
  /** Returns the files and empties the batch. */
  take(): readonly BatchedFile[]
}

export function createBatch(): Batch {
  let files: BatchedFile[] = []
  let size = 0
  let declaredCount = 0
  return {
    add(file) {
      const { xml } = file
      if (xml === null || files.length === MAX_BATCH_FILES) return false
      const { declared } = file.files
      const fileSize = [xml, file.file.path, declared].reduce(
        (sum: number, part) => sum + Buffer.byteLength(JSON.stringify(part)),
        declared.length * (file.file.path?.length ?? 0),
      )
      if (size + fileSize > MAX_BATCH_BYTES || declaredCount + declared.length > MAX_REPORT_FILES) return false
      files.push({ ...file, xml })
      declaredCount += declared.length
      size += fileSize
      return true
    },
    take() {
      const taken = files
      files = []
      size = 0
      declaredCount = 0
      return taken
    },
  }
}
