import { createHash } from 'node:crypto'

import type { Database } from '../../platform/database/connect.ts'
import { FileStoreError, type FileStore, isFileName, toFileName } from '../../platform/files/file-store.ts'
import {
  type CheckedFile,
  classifyNames,
  countFilesByProject,
  isFileAt,
  selectAllFiles,
  setFilesLost,
  setNoneLost,
} from './check-files.queries.ts'
import { findMissing } from './find-missing.ts'

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
 * Compares the files of a database with the contents of one of its stores. Files whose content is missing are marked as lost,
 * and those whose content is there again are not. What is stored, moved or deleted meanwhile is not reported.
 * @throws {FileStoreError} when the store is unavailable
 */
export async function verifyFiles(db: Database, store: FileStore, options: VerifyOptions): Promise<FileCheck> {
  const { knownCounts, unknown } = await readStore(db, store, options)
  const counts = await countFilesByProject(db, store.location)
  const fileCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const check: FileCheck = { fileCount, missing: [], damaged: [], unknown }
  if (options.readsContents) {
    await readEach(db, store, options, check)
    return check
  }
  // A store lists thousands of contents at a time, and answers for each one by itself: only projects with fewer contents than
  // files are looked at in detail.
  for (const [projectId, count] of counts) {
    options.signal.throwIfAborted()
    if ((knownCounts.get(projectId) ?? 0) >= count) await setNoneLost(db, store.location, projectId)
    else check.missing.push(...(await checkProject(db, store, { projectId, count }, options)))
  }
  return check
}

async function readStore(db: Database, store: FileStore, { deletesUnknown, signal, showProgress }: VerifyOptions) {
  const unknown: string[] = []
  const knownCounts = new Map<string, number>()
  let listed = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const names = await store.list(after)
    const last = names.at(-1)
    if (last === undefined) return { knownCounts, unknown }
    const found = await classifyNames(db, names.filter(isFileName), store.location)
    for (const name of found.known) {
      const projectId = name.slice(0, name.indexOf('/'))
      knownCounts.set(projectId, (knownCounts.get(projectId) ?? 0) + 1)
    }
    unknown.push(...found.unknown)
    if (deletesUnknown) await store.remove(found.unknown)
    listed += names.length
    showProgress(`Reading the file store: ${listed.toLocaleString('en')} contents`)
    after = last
  }
}

/** Looks for the files of a project whose contents the store does not list, and returns the names of those it does not have. */
async function checkProject(
  db: Database,
  store: FileStore,
  { projectId, count }: { projectId: string; count: number },
  { signal }: Pick<VerifyOptions, 'signal'>,
): Promise<string[]> {
  const missing: CheckedFile[] = []
  for await (const candidate of findMissing(db, store, { projectId, count })) {
    signal.throwIfAborted()
    if (await hasContent(store, candidate)) continue
    // It may have been deleted or moved since its row was read.
    if (await isFileAt(db, candidate, store.location)) missing.push(candidate)
  }
  await setNoneLost(
    db,
    store.location,
    projectId,
    missing.map(({ id }) => id),
  )
  await setFilesLost(db, missing, true)
  return missing.map(({ id }) => toFileName(projectId, id))
}

/** Reads all contents. */
async function readEach(
  db: Database,
  store: FileStore,
  { signal, showProgress }: VerifyOptions,
  check: FileCheck,
): Promise<void> {
  let checked = 0
  for await (const files of selectAllFiles(db, store.location)) {
    const missing: CheckedFile[] = []
    const present: CheckedFile[] = []
    for (const file of files) {
      signal.throwIfAborted()
      const state = await readContent(store, file)
      if (state !== 'ok' && !(await isFileAt(db, file, store.location))) continue
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

async function readContent(store: FileStore, file: CheckedFile): Promise<'ok' | 'missing' | 'damaged'> {
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
