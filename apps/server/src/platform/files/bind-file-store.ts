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
 * Whose a store is. `own`: this database's. `new`: nobody has used store or database, or the database only other stores.
 * `missing`: it has no marker, but the database has stored files in it. `other`: its marker names another store or database.
 */
export type Binding = 'own' | 'new' | 'missing' | 'other'

interface DatabaseIdentity {
  storeId: string | null
  /** In which stores it has files; empty when only an earlier version knows. */
  locations: number[]
  fingerprint: string
}

/** Returns which stores the database uses, and what tells it from its copies: a restored or cloned database differs. */
async function selectDatabase(db: Database, { lock = false } = {}): Promise<DatabaseIdentity> {
  const { rows } = await sql<DatabaseIdentity>`
    select file_store_id as "storeId",
      -- A backup may be made of the database of an earlier version, which has no such column.
      array(select jsonb_array_elements_text(to_jsonb(s) -> 'file_locations')::int) as locations,
      (select system_identifier from pg_control_system()) || '/' ||
        (select oid from pg_database where datname = current_database()) as fingerprint
    from instance_settings s ${lock ? sql`for update` : sql``}`.execute(db)
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

function compare(
  { storeId, locations, fingerprint }: DatabaseIdentity,
  marker: Marker | null,
  { location }: FileStore,
): Binding {
  if (marker === null) {
    const isUnused = storeId === null || (locations.length > 0 && !locations.includes(location))
    return isUnused ? 'new' : 'missing'
  }
  if (marker.database !== fingerprint) return 'other'
  // A server that ended while it bound the store has written the marker only.
  if (storeId === null) return 'new'
  return marker.id === storeId ? 'own' : 'other'
}

/**
 * Finds out whose a store is.
 * @param others where else the database may have files: one of an earlier version has not noted in which it has
 * @throws {FileStoreError} when it cannot be read
 */
export async function checkBinding(db: Database, store: FileStore, others: readonly FileStore[]): Promise<Binding> {
  const database = await selectDatabase(db)
  const binding = compare(database, await readMarker(store), store)
  if (binding !== 'missing' || database.locations.length > 0) return binding
  for (const other of others) {
    if (compare(database, await readMarker(other), other) === 'own') return 'new'
  }
  return binding
}

/** Binds a new store to the database; of several servers, one does. Returns `own`, or why the store cannot be used. */
export async function bindFileStore(
  db: Database,
  store: FileStore,
  others: readonly FileStore[],
): Promise<Exclude<Binding, 'new'>> {
  const binding = await checkBinding(db, store, others)
  if (binding !== 'new' && binding !== 'own') return binding
  return await db.transaction().execute(async (tx) => {
    const database = await selectDatabase(tx, { lock: true })
    const marker = await readMarker(store)
    const current = await checkBinding(tx, store, others)
    if (current === 'own') await noteLocations(tx, [store])
    if (current !== 'new') return current
    const id = database.storeId ?? marker?.id ?? createRandomId()
    for (const other of others) {
      if (compare(database, await readMarker(other), other) === 'own') await noteLocations(tx, [other])
    }
    await writeBinding(tx, [store], database, id)
    return 'own'
  })
}

/** Binds stores to the database, whoever they belonged to. */
export async function adoptFileStores(db: Database, stores: readonly FileStore[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const database = await selectDatabase(tx, { lock: true })
    await writeBinding(tx, stores, database, database.storeId ?? createRandomId())
  })
}

async function writeBinding(
  tx: Database,
  stores: readonly FileStore[],
  { fingerprint }: DatabaseIdentity,
  id: string,
): Promise<void> {
  for (const store of stores) {
    await store.writeMarker(`${JSON.stringify({ id, database: fingerprint } satisfies Marker)}\n`)
  }
  await tx.updateTable('instance_settings').set({ file_store_id: id }).execute()
  await noteLocations(tx, stores)
}

async function noteLocations(tx: Database, stores: readonly FileStore[]): Promise<void> {
  for (const { location } of stores) {
    await sql`
      update instance_settings set file_locations = file_locations || ${location}::smallint
      where not ${location}::smallint = any(file_locations)`.execute(tx)
  }
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
