import type { FastifyBaseLogger } from 'fastify'

import { FileStoreError } from '../../platform/files/file-store.ts'
import { createOwnFileStore, type FileStoreSettings } from '../../platform/files/open-file-store.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { saveFileCheck } from './check-files.queries.ts'
import { type FileCheck, verifyFiles } from './verify-files.ts'

/** Names of missing contents in one line of the log. */
const MAX_NAMES = 20

/**
 * The job that compares the files of the database with the contents of its stores once a week. It marks files as lost, or no
 * longer, and deletes nothing: a content that no file knows may be of a newer state of the database.
 */
export const createCheckJob = (
  settings: FileStoreSettings,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
): ScheduledJob => ({
  name: 'check_files',
  schedule: '41 3 * * 0',
  maxDelayMs: 24 * 60 * 60 * 1000,
  async run(db, signal) {
    const { stores, problems } = await createOwnFileStore(db, settings).getAll()
    let unknownCount = 0
    for (const store of stores) {
      try {
        const options = { readsContents: false, deletesUnknown: false, signal, showProgress: () => {} }
        const check = await verifyFiles(db, store, options)
        unknownCount += check.unknown.length
        report(log, check, store.description)
      } catch (error) {
        if (!(error instanceof FileStoreError)) throw error
        problems.push(error)
      }
    }
    for (const problem of problems) log.warn({ err: problem }, 'a file store could not be compared with the database')
    if (stores.length > 0 && problems.length === 0) await saveFileCheck(db, unknownCount)
  },
})

function report(log: Pick<FastifyBaseLogger, 'info' | 'error'>, check: FileCheck, store: string): void {
  const { fileCount: files, missing, unknown } = check
  const found = { store, files, missing: missing.length, unknown: unknown.length }
  if (missing.length === 0) {
    log.info(found, 'compared the file store with the database')
    return
  }
  log.error(
    { ...found, names: missing.slice(0, MAX_NAMES) },
    'contents of files are missing in the file store: they are shown as lost. Restore them from a backup, then run: admin verify-files',
  )
}
