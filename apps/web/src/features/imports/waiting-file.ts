import type { BrowserStorage } from '../../browser-storage.ts'
import { createRevision } from '../../outbox/outbox-entry.ts'
import type { BlobStore } from '../../uploads/blob-store.ts'
import { getUploadPrefix } from '../../uploads/upload-entry.ts'

/** A file to import that the server does not have yet. */
export interface WaitingFile {
  readonly id: string
  /** The project that it is imported into. Attachments have another shape, and are not taken for one. */
  readonly importInto: string
  readonly name: string
  /** `Idempotency-Key`: a response that was lost does not import the file twice. */
  readonly key: string
  /** The upload in parts that has begun; null for none. */
  readonly fileUploadId: string | null
}

/** The files of a user to import that wait in this browser, as attachments do: also for the page `/sign-out`. */
export interface WaitingFiles {
  find(projectId: string): WaitingFile | null
  /** Keeps a file. @returns whether it is stored: otherwise, it is lost when the tab is closed */
  add(file: WaitingFile, content: Blob): Promise<boolean>
  /** Remembers the upload that has begun. A file that was removed meanwhile stays away. */
  begin(file: WaitingFile, fileUploadId: string): void
  /** Returns null when the browser has removed it to free space. */
  getContent(id: string): Promise<Blob | null>
  remove(id: string): void
}

export const createWaitingFile = (projectId: string, name: string): WaitingFile => ({
  id: createRevision(),
  importInto: projectId,
  name,
  key: createRevision(),
  fileUploadId: null,
})

export function createWaitingFiles(userId: string, storage: BrowserStorage, blobs: BlobStore): WaitingFiles {
  const prefix = `${getUploadPrefix(userId)}import:`
  return {
    find(projectId) {
      const files = storage.list(prefix).map((key) => parseWaitingFile(storage.read(key)))
      return files.find((file) => file?.importInto === projectId) ?? null
    },
    async add(file, content) {
      if (!(await blobs.put(file.id, content))) return false
      if (storage.write(prefix + file.id, file)) return true
      await blobs.remove(file.id)
      return false
    },
    begin(file, fileUploadId) {
      const key = prefix + file.id
      if (storage.read(key) !== undefined) storage.write(key, { ...file, fileUploadId })
    },
    getContent: (id) => blobs.get(id),
    remove(id) {
      storage.remove(prefix + id)
      void blobs.remove(id)
    },
  }
}

function parseWaitingFile(value: unknown): WaitingFile | null {
  const file: Partial<WaitingFile> | null = typeof value === 'object' ? value : null
  const isWhole = [file?.id, file?.importInto, file?.name, file?.key].every((text) => typeof text === 'string')
  return isWhole ? { ...(file as WaitingFile), fileUploadId: file?.fileUploadId ?? null } : null
}
