import type { FastifyBaseLogger } from 'fastify'

import type { Database } from '../../platform/database/connect.ts'
import { type FileStore, FileStoreError } from '../../platform/files/file-store.ts'
import { createOwnFileStore, type FileStoreSettings, type OwnFileStore } from '../../platform/files/open-file-store.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'
import {
  countNamesElsewhere,
  deleteQueuedNames,
  deleteUnusedFiles,
  type NameQueue,
  selectCandidateProjects,
  takeQueuedNames,
} from './file-candidates.queries.ts'
import { selectExpiredUploads, UPLOAD_LIFETIME_MS } from './file-uploads.queries.ts'
import { cancelFileUpload } from './receive-part.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A content that was begun so long ago is not being written any more. */
const ABANDONED_MS = DAY_MS
const NAMES_PER_BATCH = 1000
const UPLOADS_PER_BATCH = 100

interface SweepSettings extends FileStoreSettings {
  fileDeleteDays: number
}

/**
 * The job that deletes files which nothing refers to any more, and removes their contents from the store some days later. A
 * server that ends in between repeats what it has begun: a name that is gone already is no error.
 */
export const createSweepJob = (settings: SweepSettings, log: Pick<FastifyBaseLogger, 'warn'>): ScheduledJob => ({
  name: 'sweep_files',
  schedule: '*/10 * * * *',
  async run(db, signal) {
    await deleteAllUnusedFiles(db, signal)
    const fileStore = createOwnFileStore(db, settings)
    const dueBefore = new Date(Date.now() - settings.fileDeleteDays * DAY_MS)
    const { stores, problems } = await fileStore.getAll()
    for (const store of stores) {
      try {
        await endExpiredUploads(db, fileStore, store, signal)
        await removeNames(db, store, signal, 'file_deletions', dueBefore)
        await removeNames(db, store, signal, 'file_writes', new Date(Date.now() - ABANDONED_MS))
      } catch (error) {
        if (!(error instanceof FileStoreError)) throw error
        problems.push(error)
      }
    }
    const locations = stores.map(({ location }) => location)
    const waiting = await countNamesElsewhere(db, locations, dueBefore)
    for (const problem of problems) log.warn({ err: problem }, STAY)
    if (problems.length === 0 && waiting > 0) log.warn({ count: waiting }, STAY)
  },
})

const STAY = 'deleted files stay in the file store until it is available'

async function deleteAllUnusedFiles(db: Database, signal: AbortSignal): Promise<void> {
  let after = FIRST_ID
  for (;;) {
    const projects = await selectCandidateProjects(db, after)
    for (const projectId of projects) {
      let hasMore = true
      while (hasMore) {
        signal.throwIfAborted()
        hasMore = await db.transaction().execute((tx) => deleteUnusedFiles(tx, projectId))
      }
    }
    const last = projects.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Ends uploads in parts whose time is over. */
async function endExpiredUploads(
  db: Database,
  fileStore: OwnFileStore,
  { location }: FileStore,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(Date.now() - UPLOAD_LIFETIME_MS)
  for (;;) {
    const expired = await selectExpiredUploads(db, { location, before, limit: UPLOADS_PER_BATCH })
    for (const upload of expired) {
      signal.throwIfAborted()
      await cancelFileUpload({ db, fileStore }, upload)
    }
    if (expired.length < UPLOADS_PER_BATCH) return
  }
}

async function removeNames(
  db: Database,
  store: FileStore,
  signal: AbortSignal,
  queue: NameQueue,
  before: Date,
): Promise<void> {
  const { location } = store
  let count = NAMES_PER_BATCH
  while (count === NAMES_PER_BATCH) {
    signal.throwIfAborted()
    count = await db.transaction().execute(async (tx) => {
      const names = await takeQueuedNames(tx, queue, { location, before, limit: NAMES_PER_BATCH })
      await store.remove(names)
      await deleteQueuedNames(tx, queue, location, names)
      return names.length
    })
  }
}
