import type { RunRecord } from '@caseward/importers/records'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { DateReader } from './date-reader.ts'
import type { ImportWork } from './import-work.ts'

/** What the results of a run say of it. */
export interface RunContent {
  hash: string | null
  /** Not read when each run says its own. */
  times: RunTimes | undefined
}

export interface RunTimes {
  first: string
  last: string
}

/** Whether a run does not say when it began, or when it ended. */
export const lacksTime = ({ created_at: createdAt, completed_at: completedAt }: RunRecord, dates: DateReader) =>
  dates.read('run.created_at', createdAt) === null || dates.read('run.completed_at', completedAt) === null

/** Reads a digest of all results of each run. */
export async function readContents(db: Database, { claim }: ImportWork): Promise<Map<string, string>> {
  const { rows } = await sql<{ run: string; hash: string }>`${plannedAnew}
    select record ->> 'run' as run, md5(string_agg(md5(record::text), '' order by seq)) as hash from import_records
    where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = 'result'
    group by record ->> 'run'`.execute(db)
  return new Map(rows.map(({ run, hash }) => [run, hash]))
}

/** Reads the first and the last time of the results of each run. */
export async function readTimes(
  db: Database,
  { claim }: ImportWork,
  dates: DateReader,
): Promise<Map<string, RunTimes>> {
  const times = new Map<string, RunTimes>()
  const limit = 20_000
  for (let after = 0; ;) {
    const { rows } = await sql<{ seq: number; run: string; at: string }>`${plannedAnew}
      select seq, record ->> 'run' as run, record ->> 'at' as at from import_records
      where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = 'result' and seq > ${after}
      order by seq limit ${limit}`.execute(db)
    const yielder = createYielder()
    for (const { run, at } of rows) {
      if (yielder.shouldYield()) await yielder.yield()
      const time = dates.read('result.at', at)?.toISOString()
      if (time === undefined) continue
      const known = times.get(run)
      if (known === undefined) times.set(run, { first: time, last: time })
      else if (time < known.first) known.first = time
      else if (time > known.last) known.last = time
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return times
    after = last.seq
  }
}
