import { sql } from 'kysely'
import { v4 as createRandomId } from 'uuid'

import type { Database } from '../database/connect.ts'
import type { FileStore } from './file-store.ts'

/** The content of the marker of a store. */
interface Marker {
  id: string
  /** Of the database that the store belongs to: {@link selectDatabase}. */
  database: string
}

/**
 * Whose a store is. `own`: this database's. `new`: nobody has used store or database. `missing`: it has no marker, but the
 * database has stored files. `other`: its marker names another store or database.
 */
export type Binding = 'own' | 'new' | 'missing' | 'other'

interface DatabaseIdentity {
  storeId: string | null
  fingerprint: string
}

/** Returns which store the database uses, and what tells it from its copies: a restored or cloned database differs. */
async function selectDatabase(db: Database, { lock = false } = {}): Promise<DatabaseIdentity> {
  const { rows } = await sql<DatabaseIdentity>`
    select file_store_id as "storeId",
      (select system_identifier from pg_control_system()) || '/' ||
        (select oid from pg_database where datname = current_database()) as fingerprint
    from instance_settings ${lock ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('instance_settings has no row')
  return row
}

async function readMarker(store: FileStore): Promise<Marker | null> {
  const text = await store.readMarker()
  if (text === null) return null
  try {
    const { id, database } = JSON.parse(text) as Partial<Marker>
    return { id: String(id), database: String(database) }
  } catch {
    return { id: '', database: '' }
  }
}

function compare({ storeId, fingerprint }: DatabaseIdentity, marker: Marker | null): Binding {
  if (marker === null) return storeId === null ? 'new' : 'missing'
  if (marker.database !== fingerprint) return 'other'
  // A server that ended while it bound the store has written the marker only.
  if (storeId === null) return 'new'
  return marker.id === storeId ? 'own' : 'other'
}

/** Finds out whose a store is. @throws {FileStoreError} when it cannot be read */
export async function checkBinding(db: Database, store: FileStore): Promise<Binding> {
  return compare(await selectDatabase(db), await readMarker(store))
}

/** Binds a new store to the database; of several servers, one does. Returns `own`, or why the store cannot be used. */
export async function bindFileStore(db: Database, store: FileStore): Promise<Exclude<Binding, 'new'>> {
  const binding = await checkBinding(db, store)
  if (binding !== 'new') return binding
  return await db.transaction().execute(async (tx) => {
    const database = await selectDatabase(tx, { lock: true })
    const marker = await readMarker(store)
    const current = compare(database, marker)
    if (current === 'new') await writeBinding(tx, store, database, marker?.id)
    return current === 'new' ? 'own' : current
  })
}

/** Binds a store to the database, whoever it belonged to. */
export async function adoptFileStore(db: Database, store: FileStore): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await writeBinding(tx, store, await selectDatabase(tx, { lock: true }))
  })
}

async function writeBinding(
  tx: Database,
  store: FileStore,
  { fingerprint }: DatabaseIdentity,
  id = createRandomId(),
): Promise<void> {
  await store.writeMarker(`${JSON.stringify({ id, database: fingerprint } satisfies Marker)}\n`)
  await tx.updateTable('instance_settings').set({ file_store_id: id }).execute()
}

/** Explains why a store cannot be used, and what to do. */
export function describeBindingProblem(binding: Exclude<Binding, 'own'>, { description }: FileStore): string {
  switch (binding) {
    case 'new':
      return `no file has been stored in the file store ${description}.`
    case 'missing':
      return `the file store ${description} is empty, but files have been stored. Check FILES_DIR or S3_BUCKET_URL and S3_PREFIX, and that the disk is mounted; several servers must share the directory. If the files are lost, run: admin adopt-files`
    case 'other':
      return `the file store ${description} belongs to another database, or this database is a copy or was restored. Two databases must never share a file store. If no other one uses it, run: admin adopt-files`
    default:
      return binding satisfies never
  }
}
