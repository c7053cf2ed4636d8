import type { FastifyBaseLogger } from 'fastify'

import type { Database } from '../database/connect.ts'
import { StartError } from '../start-error.ts'
import { checkBinding, describeBindingProblem } from './bind-file-store.ts'
import { FileStoreError } from './file-store.ts'
import { type FileStoreSettings, openFileStore } from './open-file-store.ts'

/**
 * Refuses to start with the file store of another database, or with an empty one in place of its own. When the store is
 * unavailable, everything else works.
 * @throws {StartError}
 */
export async function requireOwnFileStore(
  db: Database,
  settings: FileStoreSettings,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const store = await openFileStore(settings)
  try {
    const binding = await checkBinding(db, store)
    if (binding === 'missing' || binding === 'other') throw new StartError(describeBindingProblem(binding, store))
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error
    log.warn(
      { err: error, store: store.description },
      'the file store is unavailable: files are refused until it works',
    )
  }
}
