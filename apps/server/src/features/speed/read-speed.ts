import {
  type listSlowTests,
  MAX_SPEED_OUTCOMES,
  type SlowTest,
  SPEED_RUNS,
  type SpeedKind,
} from '@caseward/contract/speed'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import { selectGroupTests } from '../failures/failure-groups.queries.ts'
import { type BaseRun, selectBaseRuns } from '../insight-days/base-runs.queries.ts'
import { selectSpeed, type SpeedRow } from './speed.queries.ts'

/** Older runs say nothing about how fast a test is. */
const MAX_AGE_DAYS = 90
const DAY_MS = 86_400_000

/** Remembers how fast the tests of runs are, until there are other runs. */
export interface SpeedCache {
  read: (key: string, select: () => Promise<SpeedRow[]>) => Promise<SpeedRow[]>
}

/** Entries of at most 300 rows. */
const MAX_ENTRIES = 50

/** Creates a cache of the speeds that were read last. */
export function createSpeedCache(): SpeedCache {
  const entries = new Map<string, SpeedRow[]>()
  return {
    read: async (key, select) => {
      const rows = entries.get(key) ?? (await select())
      entries.delete(key)
      entries.set(key, rows)
      const [oldest] = entries.keys()
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
      return rows
    },
  }
}

type Query = Static<typeof listSlowTests.schema.querystring>
type Answer = Static<(typeof listSlowTests.schema.response)[200]>

/** Lists the slow tests of the newest base runs of a series, or those that became slower or faster. */
export async function readSpeed(
  db: Database,
  cache: SpeedCache,
  projectId: string,
  { branch: wanted, series: wantedSeries, kind = 'slow' }: Query,
): Promise<Answer> {
  const branch = wanted ?? (await findDefaultBranch(db, projectId)).branch
  const from = new Date(Date.now() - MAX_AGE_DAYS * DAY_MS)
  const [newest] = wantedSeries === undefined ? await selectBaseRuns(db, projectId, { branch, from, limit: 1 }) : []
  const series = wantedSeries ?? newest?.series ?? null
  const all = series === null ? [] : await selectBaseRuns(db, projectId, { branch, series, from, limit: SPEED_RUNS })
  const runs = cutOutcomes(all)
  const since = runs.at(-1)?.created_at.toISOString() ?? null
  const meta = { branch, series, runs: runs.length, since, is_cut: runs.length < all.length }
  if (runs.length === 0) return { data: [], meta: { ...meta, total: 0 } }
  const rows = await cache.read(toKey(projectId, runs), () =>
    selectSpeed(
      db,
      projectId,
      runs.map(({ id }) => id),
    ),
  )
  const ofKind = rows.filter((row) => row.kind === kind)
  return { data: await present(db, projectId, ofKind), meta: { ...meta, total: ofKind[0]?.total ?? 0 } }
}

/** The newest runs with as many outcomes as can be read; at least one. */
function cutOutcomes(runs: readonly BaseRun[]): BaseRun[] {
  let outcomes = 0
  return runs.filter(({ executed }, index) => {
    outcomes += executed
    return index === 0 || outcomes <= MAX_SPEED_OUTCOMES
  })
}

/** Tests that are left out, or reported again, change the counts. */
const toKey = (projectId: string, runs: readonly BaseRun[]): string =>
  [projectId, ...runs.map(({ id, executed, passed, test_ms: ms }) => `${id} ${executed} ${passed} ${ms}`)].join('\n')

async function present(
  db: Database,
  projectId: string,
  rows: readonly (SpeedRow & { kind: SpeedKind })[],
): Promise<SlowTest[]> {
  const tests = await selectGroupTests(
    db,
    projectId,
    rows.map((row) => row.test_id),
  )
  return rows.flatMap(({ test_id: id, median_ms, p95_ms, share, now_ms, before_ms, runs }) => {
    const test = tests.get(id)
    return test === undefined ? [] : [{ test, median_ms, p95_ms, share, now_ms, before_ms, runs }]
  })
}
