import type { Config } from '../config.ts'
import type { Database } from '../platform/database/connect.ts'
import { adoptFileStore, checkBinding } from '../platform/files/bind-file-store.ts'
import { openFileStore } from '../platform/files/open-file-store.ts'

/** Binds the file store to the database, or returns what that would do. */
export async function adoptFiles(db: Database, config: Config, isConfirmed: boolean): Promise<string> {
  const store = await openFileStore(config)
  const binding = await checkBinding(db, store)
  if (binding === 'own') return `The file store ${store.description} belongs to this database already.`
  if (isConfirmed) {
    await adoptFileStore(db, store)
    return `The file store ${store.description} belongs to this database now. Start the service again.`
  }
  return [
    describeState(binding, store.description),
    'From then on, this database removes files from it that nobody needs any more, and only this one may use it.',
    'Nothing was changed. If no other database uses it, run: admin adopt-files --yes',
  ].join('\n')
}

function describeState(binding: 'new' | 'missing' | 'other', store: string): string {
  if (binding === 'other') return `The file store ${store} belongs to another database, and would belong to this one.`
  const files = binding === 'missing' ? ' Files that are stored elsewhere would be missing.' : ''
  return `The file store ${store} is empty, and would belong to this database.${files}`
}
