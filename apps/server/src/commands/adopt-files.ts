import type { Config } from '../config.ts'
import type { Database } from '../platform/database/connect.ts'
import { adoptFileStores, type Binding, checkBinding } from '../platform/files/bind-file-store.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { listStores, openFileStores } from '../platform/files/open-file-store.ts'

/** Binds the file stores to the database, or returns what that would do. */
export async function adoptFiles(db: Database, config: Config, isConfirmed: boolean): Promise<string> {
  const stores = await openFileStores(config)
  const adopted: { store: FileStore; binding: Exclude<Binding, 'own'> }[] = []
  for (const store of listStores(stores)) {
    const others = listStores(stores).filter((other) => other !== store)
    const binding = await checkBinding(db, store, others)
    // The store to which no files are written may never be used.
    if (binding !== 'own' && (store === stores.target || binding !== 'new')) adopted.push({ store, binding })
  }
  const names = adopted.map(({ store }) => store.description).join(' and ')
  if (adopted.length === 0) return `The file store ${stores.target.description} belongs to this database already.`
  if (isConfirmed) {
    await adoptFileStores(
      db,
      adopted.map(({ store }) => store),
    )
    return `The file store ${names} belongs to this database now. Start the service again.`
  }
  return [
    ...adopted.map(({ store, binding }) => describeState(binding, store.description)),
    'From then on, this database removes files from it that nobody needs any more, and only this one may use it.',
    'Nothing was changed. If no other database uses it, run: admin adopt-files --yes',
  ].join('\n')
}

function describeState(binding: Exclude<Binding, 'own'>, store: string): string {
  if (binding === 'other') return `The file store ${store} belongs to another database, and would belong to this one.`
  const files = binding === 'missing' ? ' Files that are stored elsewhere would be missing.' : ''
  return `The file store ${store} is empty, and would belong to this database.${files}`
}
