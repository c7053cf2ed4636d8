import type { FastifyBaseLogger } from 'fastify'

import type { CopyFiles } from '../../platform/backup/scheduled-backups.ts'
import { createOwnFileStore, type FileStoreSettings } from '../../platform/files/open-file-store.ts'
import { backUpFiles, openCopies } from './back-up-files.ts'
import { pruneCopies } from './prune-copies.ts'

/** Creates the function that copies attached files beside scheduled backups, each once for all of them. */
export const createCopyFiles =
  (settings: FileStoreSettings, log: Pick<FastifyBaseLogger, 'warn'>): CopyFiles =>
  async (db, { directory, since, oldestBackup, signal }) => {
    const target = openCopies(directory)
    const options = { signal, showProgress: () => {} }
    const copied = await backUpFiles(db, createOwnFileStore(db, settings), { target, since }, options)
    const removed = await pruneCopies(db, target, { oldestBackup, now: new Date(), signal })
    const { missing, ...counts } = copied ?? { copied: 0, bytes: 0, missing: 0 }
    if (missing > 0) log.warn({ missing }, 'attached files are missing in the file store: run admin verify-files')
    return { ...counts, removed }
  }
