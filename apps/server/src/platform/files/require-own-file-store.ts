import type { FastifyBaseLogger } from 'fastify'

import type { Database } from '../database/connect.ts'
import { StartError } from '../start-error.ts'
import { describeBindingProblem } from './bind-file-store.ts'
import { FileStoreError } from './file-store.ts'
import { checkAvailable, type FileStoreSettings, openFileStores } from './open-file-store.ts'

/**
 * Refuses to start with the file store of another database, or with an empty one in place of its own. When the store is
 * unavailable, everything else works; so it does without the one to which no files are written.
 * @throws {StartError}
 */
export async function requireOwnFileStore(
  db: Database,
  settings: FileStoreSettings,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const stores = await openFileStores(settings)
  const { target, other } = stores
  const binding = await checkAvailable(db, target, stores)
  if (binding instanceof FileStoreError) {
    log.warn(
      { err: binding, store: target.description },
      'the file store is unavailable: files are refused until it works',
    )
  } else if (binding === 'missing' || binding === 'other') {
    throw new StartError(describeBindingProblem(binding, target))
  }
  if (other === null) return
  const otherBinding = await checkAvailable(db, other, stores)
  if (otherBinding === 'own' || otherBinding === 'new') return
  const problem =
    otherBinding instanceof FileStoreError ? otherBinding.message : describeBindingProblem(otherBinding, other)
  log.warn({ store: other.description, problem }, 'files that are in the other file store cannot be read')
}
