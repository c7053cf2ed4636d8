import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { countLostFiles } from './check-files.queries.ts'

type MetricDeps = Pick<Deps, 'db' | 'fileStore'>

/** Anybody may be able to request the metrics: they are read this often at most. */
const MAX_AGE_MS = 15_000
const TIMEOUT_MS = 5000

const GAUGES = {
  up: 'Whether the file store can take files: 1, or 0',
  bytes: 'Bytes that the files take in the file store, without deleted ones',
  files: 'Number of files in the file store, without deleted ones',
  waiting: 'Number of attachments whose content has not arrived',
  lost: 'Number of files whose content is missing in the file store, as far as known',
  unknown: 'Number of contents that no file knows, as of the last weekly check',
  delete_queue: 'Number of deleted contents that are still in the file store',
} as const
type GaugeName = keyof typeof GAUGES

/** Adds the metrics of the file store. Before the first file is stored, and while the database is down, there are none. */
export function registerFileMetrics(registry: Registry, deps: MetricDeps): void {
  let readAt = -Infinity
  let reading: Promise<Record<GaugeName, number> | null> = Promise.resolve(null)
  const read = () => {
    if (performance.now() - readAt > MAX_AGE_MS) {
      readAt = performance.now()
      reading = withTimeout(readFileMetrics(deps), TIMEOUT_MS).catch(() => null)
    }
    return reading
  }
  for (const [name, help] of Object.entries(GAUGES) as [GaugeName, string][]) {
    const gauge = new Gauge({
      name: `caseward_file_store_${name}`,
      help,
      registers: [registry],
      async collect() {
        const values = await read()
        if (values === null) gauge.remove()
        else gauge.set(values[name])
      },
    })
  }
}

async function readFileMetrics({ db, fileStore }: MetricDeps): Promise<Record<GaugeName, number> | null> {
  const { file_store_id: id, unknown_file_count: unknown } = await db
    .selectFrom('instance_settings')
    .select(['file_store_id', 'unknown_file_count'])
    .executeTakeFirstOrThrow()
  if (id === null) return null
  const up = await withTimeout(fileStore.check(), TIMEOUT_MS / 2).then(
    () => 1,
    () => 0,
  )
  return { up, unknown: unknown ?? 0, lost: await countLostFiles(db), ...(await selectFileCounts(db)) }
}

/** In statements of their own: on a distributed database, the tables are at different places. */
async function selectFileCounts(db: Database): Promise<Record<Exclude<GaugeName, 'up' | 'unknown' | 'lost'>, number>> {
  const { rows: usage } = await sql<{ bytes: number; files: number }>`
    select coalesce(sum(byte_count), 0)::float8 as bytes, coalesce(sum(file_count), 0)::float8 as files from file_usage`.execute(
    db,
  )
  const { rows: waiting } = await sql<{ count: number }>`
    select coalesce(sum(waiting_file_count), 0)::float8 as count from runs where waiting_file_count > 0`.execute(db)
  const { rows: queue } = await sql<{ count: number }>`select count(*) from file_deletions`.execute(db)
  return {
    bytes: usage[0]?.bytes ?? 0,
    files: usage[0]?.files ?? 0,
    waiting: waiting[0]?.count ?? 0,
    delete_queue: queue[0]?.count ?? 0,
  }
}
