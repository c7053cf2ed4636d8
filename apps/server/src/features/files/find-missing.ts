import type { Database } from '../../platform/database/connect.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { type CheckedFile, selectFilesOfFolders } from './check-files.queries.ts'

/** Names that are in memory at the same time, roughly. */
const NAMES_PER_GROUP = 100_000
/** Contents of a project are in folders of this many names: the last two hexadecimal digits of their ids. */
const FOLDER_COUNT = 256

const toFolder = (number: number) => number.toString(16).padStart(2, '0')

/** Yields the files of a project whose contents a store does not list. Folder by folder, so that memory is bounded. */
export async function* findMissing(
  db: Database,
  store: FileStore,
  { projectId, count }: { projectId: string; count: number },
): AsyncGenerator<CheckedFile> {
  const groupCount = Math.min(FOLDER_COUNT, Math.ceil(count / NAMES_PER_GROUP))
  const size = Math.ceil(FOLDER_COUNT / groupCount)
  for (let first = 0; first < FOLDER_COUNT; first += size) {
    const range = { from: toFolder(first), to: toFolder(Math.min(first + size, FOLDER_COUNT) - 1) }
    const listed = await listFolders(store, projectId, range)
    for await (const files of selectFilesOfFolders(db, store.location, projectId, range)) {
      for (const file of files) if (!listed.has(file.id)) yield file
    }
  }
}

/** Lists the ids of contents in some folders of a project. */
async function listFolders(
  store: FileStore,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<Set<string>> {
  const ids = new Set<string>()
  // After what is before all names of the folder, and up to what is behind all of the last one.
  const end = `${projectId}/${to}0`
  for (let after = `${projectId}/${from}/`; ;) {
    const names = await store.list(after)
    for (const name of names) {
      if (name > end) return ids
      ids.add(name.slice(name.lastIndexOf('/') + 1))
    }
    const last = names.at(-1)
    if (last === undefined) return ids
    after = last
  }
}
