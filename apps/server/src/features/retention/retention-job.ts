import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { deleteOldRuns } from './delete-old-runs.ts'
import { deleteOldTests } from './delete-old-tests.ts'
import { countOldFiles, selectFileRetention } from './old-files.queries.ts'
import { countOldRuns } from './old-runs.queries.ts'
import { countOldTests, selectProjects } from './old-tests.queries.ts'
import { removeOldFiles } from './remove-old-files.ts'
import { getRetentionStart } from './retention-batches.ts'

export interface RetentionSettings {
  /** Null keeps all. */
  runRetentionDays: number | null
  testRetentionDays: number | null
  runFileRetentionDays: number | null
}

/** The queue starts a job of more than five minutes again. The next run, an hour later, continues. */
const MAX_RUN_MS = 4 * 60 * 1000

/** Creates the job that deletes old runs and tests, and removes the files of old runs. */
export const createRetentionJob = ({
  runRetentionDays,
  testRetentionDays,
  runFileRetentionDays,
}: RetentionSettings): ScheduledJob => ({
  name: 'delete_old_runs_and_tests',
  schedule: '11 * * * *',
  async run(db, signal) {
    const limits = { signal, deadline: performance.now() + MAX_RUN_MS }
    if (runRetentionDays !== null) await deleteOldRuns(db, getRetentionStart(runRetentionDays), limits)
    if (testRetentionDays !== null) await deleteOldTests(db, getRetentionStart(testRetentionDays), limits)
    await removeOldFiles(db, runFileRetentionDays, limits)
  },
})

/** Says what the next runs of the job delete, for the command `admin retention --dry-run`. */
export async function describeRetention(
  db: Database,
  { runRetentionDays, testRetentionDays, runFileRetentionDays }: RetentionSettings,
): Promise<string> {
  const lines: string[] = []
  if (runRetentionDays === null) lines.push('Runs are kept: RUN_RETENTION_DAYS is not set.')
  else {
    const before = getRetentionStart(runRetentionDays)
    const projects = await countOldRuns(db, before)
    lines.push(`Runs that were completed before ${formatDay(before)}: ${sum(projects.map(({ runs }) => runs))}`)
    lines.push(...projects.map(({ id, runs, results }) => `  project ${id}: ${runs} runs, ${results} results`))
  }
  if (testRetentionDays === null) lines.push('Tests are kept: TEST_RETENTION_DAYS is not set.')
  else {
    const before = getRetentionStart(testRetentionDays)
    const projects: { id: string; tests: number }[] = []
    for (const { id } of await selectProjects(db)) projects.push({ id, tests: await countOldTests(db, id, before) })
    lines.push(
      `Tests without link and outcomes, known before ${formatDay(before)}: ${sum(projects.map(({ tests }) => tests))}`,
    )
    lines.push(...projects.filter(({ tests }) => tests > 0).map(({ id, tests }) => `  project ${id}: ${tests} tests`))
  }
  for (const { id, days } of await selectFileRetention(db, runFileRetentionDays)) {
    const before = getRetentionStart(days)
    const files = await countOldFiles(db, id, before)
    lines.push(`Files of runs of project ${id} that were completed before ${formatDay(before)}: ${files}`)
  }
  return [...lines, 'Nothing was deleted.'].join('\n')
}

const formatDay = (time: Date) => time.toISOString().slice(0, 10)
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
