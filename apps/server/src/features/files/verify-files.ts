import { createHash } from 'node:crypto'

import type { Database } from '../../platform/database/connect.ts'
import { FileStoreError, type FileStore, isFileName, toFileName } from '../../platform/files/file-store.ts'
import {
  type CheckedFile,
  classifyNames,
  countFiles,
  selectAllFiles,
  setFilesLost,
  setNoneLost,
} from './check-files.queries.ts'

export interface VerifyOptions {
  /** Whether each content is read and compared with its SHA-256. */
  readsContents: boolean
  /** Whether contents are removed that no file knows. */
  deletesUnknown: boolean
  signal: AbortSignal
  showProgress(text: string): void
}

/** What a check has found. The names are those of the contents in the store. */
export interface FileCheck {
  fileCount: number
  missing: string[]
  damaged: string[]
  unknown: string[]
}

/**
 * Compares the files of a database with the contents of its store. Files whose content is missing are marked as lost, and
 * those whose content is there again are not. What is stored meanwhile is not reported.
 * @throws {FileStoreError} when the store is unavailable
 */
export async function verifyFiles(db: Database, store: FileStore, options: VerifyOptions): Promise<FileCheck> {
  const { knownCount, unknown } = await readStore(db, store, options)
  const fileCount = await countFiles(db, store.location)
  const check: FileCheck = { fileCount, missing: [], damaged: [], unknown }
  // Each file is looked for only if some are not there: a bucket answers for each one by itself.
  if (options.readsContents || knownCount < fileCount) await checkEach(db, store, options, check)
  else await setNoneLost(db, store.location)
  return check
}

async function readStore(db: Database, store: FileStore, { deletesUnknown, signal, showProgress }: VerifyOptions) {
  const unknown: string[] = []
  let knownCount = 0
  let listed = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const names = await store.list(after)
    const last = names.at(-1)
    if (last === undefined) return { knownCount, unknown }
    const found = await classifyNames(db, names.filter(isFileName), store.location)
    knownCount += found.knownCount
    unknown.push(...found.unknown)
    if (deletesUnknown) await store.remove(found.unknown)
    listed += names.length
    showProgress(`Reading the file store: ${listed.toLocaleString('en')} contents`)
    after = last
  }
}

async function checkEach(
  db: Database,
  store: FileStore,
  { readsContents, signal, showProgress }: VerifyOptions,
  check: FileCheck,
): Promise<void> {
  let checked = 0
  for await (const files of selectAllFiles(db, store.location)) {
    const missing: CheckedFile[] = []
    const present: CheckedFile[] = []
    for (const file of files) {
      signal.throwIfAborted()
      const state = await checkContent(store, file, readsContents)
      if (state === 'damaged') check.damaged.push(toFileName(file.projectId, file.id))
      if (state === 'missing') missing.push(file)
      else present.push(file)
    }
    check.missing.push(...missing.map(({ projectId, id }) => toFileName(projectId, id)))
    await setFilesLost(db, missing, true)
    await setFilesLost(db, present, false)
    checked += files.length
    showProgress(`Checking files: ${checked.toLocaleString('en')} of ${check.fileCount.toLocaleString('en')}`)
  }
}

async function checkContent(
  store: FileStore,
  file: CheckedFile,
  isRead: boolean,
): Promise<'ok' | 'missing' | 'damaged'> {
  if (!isRead) return (await hasContent(store, file)) ? 'ok' : 'missing'
  try {
    const hash = createHash('sha256')
    for await (const chunk of await store.read(toFileName(file.projectId, file.id))) hash.update(chunk as Buffer)
    return hash.digest().equals(file.digest) ? 'ok' : 'damaged'
  } catch (error) {
    if (error instanceof FileStoreError && error.code === 'missing') return 'missing'
    throw error
  }
}

/** Whether a store has the content of a file. */
export async function hasContent(store: FileStore, { projectId, id, byteCount }: CheckedFile): Promise<boolean> {
  try {
    // An empty content has no first byte.
    const content = await store.read(toFileName(projectId, id), byteCount === 0 ? undefined : { start: 0, end: 0 })
    content.destroy()
    return true
  } catch (error) {
    if (error instanceof FileStoreError && error.code === 'missing') return false
    throw error
  }
}
