import type { Readable } from 'node:stream'

import type { Deps } from '../../deps.ts'
import { type ByteRange, FileStoreError, toFileName } from '../../platform/files/file-store.ts'
import { type FileRow, markFileLost, selectFile } from './files.queries.ts'

/**
 * Opens the content of a file. One that is missing may have been moved since its row was read; if it is not, it is marked as
 * lost.
 * @throws {FileStoreError}
 */
export async function openContent(
  { db, fileStore }: Pick<Deps, 'db' | 'fileStore'>,
  projectId: string,
  { id, location: readLocation }: Pick<FileRow, 'id' | 'location'>,
  range?: ByteRange,
): Promise<Readable> {
  const name = toFileName(projectId, id)
  for (let location = readLocation; ;) {
    try {
      return await (await fileStore.getAt(location)).read(name, range)
    } catch (error) {
      if (!(error instanceof FileStoreError) || error.code !== 'missing') throw error
      const current = await selectFile(db, projectId, id)
      if (current === null || current.location === location) {
        await markFileLost(db, projectId, id, location)
        throw error
      }
      location = current.location
    }
  }
}
