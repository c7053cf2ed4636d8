import type pg from 'pg'

import type { Connection } from '@caseward/embedded-postgres'

import { observeBackup } from './backup.ts'
import { observeEvents } from './events.ts'
import { measureEvidence } from './evidence.ts'
import { boundFigure, costFigure, type Figure, rateFigure, sizeFigure, timeFigure, volumeFigure } from './figures.ts'
import { compareGrowth, compareSearch, growTo100k, toSearchFigures } from './growth.ts'
import { measureInsight } from './insight.ts'
import { observeLargeUploads } from './large-uploads.ts'
import { compareReads, READ_TITLES, READS, type ReadName } from './reads.ts'
import { median, percentile95 } from './measure.ts'
import { measureMovingIn } from './moving-in/moving-in.ts'
import { withoutJobs } from './postponed-jobs.ts'
import { observeReporters } from './reporters.ts'
import { measureRichCases } from './rich-cases.ts'
import { compareRows, measureIndexKb } from './rows.ts'
import { compareRunCreation } from './runs.ts'
import { seedProject, type SeededProject, vacuumAnalyze } from './seed.ts'
import type { Server } from './servers.ts'
import { observeRunStorage } from './storage.ts'
import { compareTestUploads } from './tests.ts'
import { compareUploads } from './uploads.ts'

/** What the parts work on, and what an earlier part measured that a later one compares with. */
export interface Bench {
  connection: Connection
  client: pg.Client
  caseward: Server
  reference: Server
  /** A project with 10,000 test cases and a run. */
  small: SeededProject
  /** The same project after it has grown to 100,000 test cases and 1,000,000 results. */
  large?: SeededProject
  uploadJsonMs?: number
  /** Whether parts measure what takes them several minutes as well. */
  isLarge: boolean
  printLine: (text: string) => void
}

/** Enough that the median is of uploads to a service that has compiled what they need. */
const ROUNDS = 15
/** The share of each reference's rate that a read must reach: rows serialized by JavaScript, JSON built by PostgreSQL. */
const READ_LIMITS: Record<ReadName, readonly [js: number, pg: number]> = {
  results: [0.8, 0.6],
  'test-cases': [1, 0.6],
  projects: [0.75, 0.75],
  'test-case': [0.75, 0.75],
}

/** The most processor time of the server's process for a read, as a multiple of the bare handler's. */
const COST_LIMITS: Record<ReadName, number> = {
  results: 1.25,
  'test-cases': 1,
  projects: 1.3,
  'test-case': 1.3,
}

type Measure = (bench: Bench) => Promise<Figure[]>

/** Jobs would take a processor from what is measured. */
const quietly =
  (measure: Measure): Measure =>
  (bench) =>
    withoutJobs(bench.client, () => measure(bench))

/** The parts of the bench, in the order in which they run. Those of a group share a database; it is a new one for each group. */
export const groups: Record<string, Measure>[] = [
  {
    uploads: quietly(measureUploads),
    tests: quietly(measureTests),
    reporters: measureReporters,
    'uploads-50k': quietly(measureUploadsOf50k),
    storage: quietly(measureStorage),
    runs: quietly(measureRunCreation),
    events: measureEvents,
    reads: quietly(measureReads),
    rows: quietly(measureRows),
  },
  {
    growth: quietly(measureGrowth),
    memory: measureLargeUploads,
    backup: measureBackup,
    search: quietly(measureSearch),
  },
  { 'rich-cases': measureRichCases },
  { evidence: measureEvidence },
  { insight: measureInsight },
  { 'moving-in': ({ isLarge, printLine }) => measureMovingIn(isLarge, printLine) },
]

export const partNames: readonly string[] = groups.flatMap((group) => Object.keys(group))

async function measureUploads(bench: Bench): Promise<Figure[]> {
  const uploads = await compareUploads(bench.client, bench.caseward, bench.small, 10_000, ROUNDS)
  bench.uploadJsonMs = uploads.json
  return [
    timeFigure(
      '1. Upload of 10,000 results, JSON; reference: the bare `unnest` update',
      uploads.json,
      uploads.bare,
      1.6,
    ),
    timeFigure(
      '1. The same with other results, of which the first ones are kept; reference: the bare `unnest` update',
      uploads.again,
      uploads.bare,
      4,
    ),
  ]
}

async function measureTests({ client, caseward }: Bench): Promise<Figure[]> {
  const { createMs, againMs, known, fresh, grown } = await compareTestUploads(client, caseward, ROUNDS)
  const bare = 'reference: the bare statements that write the same rows'
  return [
    timeFigure(`10. Upload of 10,000 known tests with test cases, tests; ${bare}`, known.tests, known.bare, 1.6),
    timeFigure(`10. Upload of 10,000 known tests with test cases, JUnit XML; ${bare}`, known.junit, known.bare, 1.6),
    timeFigure(`10. Upload of 10,000 new tests, tests; ${bare}`, fresh.tests, fresh.bare, 2.2),
    timeFigure(`10. Upload of 10,000 new tests, JUnit XML; ${bare}`, fresh.junit, fresh.bare, 2.2),
    timeFigure(
      '10. Upload of 10,000 known tests with 1,000,000 outcomes in the database; reference: with few',
      grown.tests,
      known.tests,
      1.2,
    ),
    boundFigure('10. Upload of 10,000 new tests that creates a test case for each', createMs, 3000, 'ms'),
    boundFigure('10. The same suite right after that', againMs, 1000, 'ms'),
  ]
}

async function measureReporters({ caseward, small }: Bench): Promise<Figure[]> {
  const costs = await observeReporters(caseward, small, 5000, 5)
  return [
    boundFigure('7. A suite of 5,000 tests, from its end to stored', costs.storedMs, 1000, 'ms'),
    boundFigure('7. What a reporter adds to each test', costs.perTestMs, 1, 'ms'),
    boundFigure('7. What a reporter adds at the start', costs.startMs, 50, 'ms'),
    timeFigure(
      '7. Processor time of loading a reporter after `node:https`; reference: that module',
      costs.startCpuMs,
      costs.moduleCpuMs,
      5,
    ),
    timeFigure(
      '7. Processor time of recording 5,000 tests; reference: loading `node:https`',
      costs.recordingCpuMs,
      costs.moduleCpuMs,
      20,
    ),
  ]
}

async function measureUploadsOf50k(bench: Bench): Promise<Figure[]> {
  const { client, caseward } = bench
  const uploadJsonMs = await getUploadJsonMs(bench)
  const project = await seedProject(client, 50_000)
  await vacuumAnalyze(client)
  const uploads = await compareUploads(client, caseward, project, 50_000, 5)
  await client.query('delete from projects where id = $1', [project.projectId])
  return [timeFigure('1. Upload of 50,000 results, JSON; reference: 10,000', uploads.json, uploadJsonMs, 5.2)]
}

async function measureStorage({ client, caseward, small }: Bench): Promise<Figure[]> {
  const { creationWalMb, first, second, bytesPerResult, bare } = await observeRunStorage(
    client,
    caseward,
    small,
    10_000,
  )
  const updates = 'of updates that write to no index (HOT)'
  return [
    boundFigure(`8. Share ${updates}, first upload of 10,000 results`, first.hotShare * 100, 95, '%', 'least'),
    boundFigure(`8. Share ${updates}, second upload, with stack traces`, second.hotShare * 100, 60, '%', 'least'),
    sizeFigure(
      '8. Write-ahead log for creating a run over 10,000 cases; reference: the bare `insert … select`',
      creationWalMb,
      bare.creationWalMb,
      1.1,
    ),
    boundFigure('8. Write-ahead log for the first upload of 10,000 results', first.walMb, 1.5, 'MB'),
    sizeFigure(
      '8. Write-ahead log for the second upload, with stack traces; reference: the bare statement that keeps and replaces results',
      second.walMb,
      bare.secondWalMb,
      1.1,
    ),
    boundFigure('8. Disk space of a result after both uploads, with its indexes', bytesPerResult, 700, 'bytes'),
  ]
}

async function measureRunCreation({ client, caseward, small }: Bench): Promise<Figure[]> {
  const times = await compareRunCreation(client, caseward, small, 5)
  await client.query('delete from test_results where run_id not in (select id from runs)')
  await vacuumAnalyze(client)
  return [
    timeFigure(
      '5. Creating a run over 10,000 cases; reference: the bare `insert … select`',
      times.caseward,
      times.bare,
      2,
    ),
  ]
}

async function measureEvents({ connection, client, small }: Bench): Promise<Figure[]> {
  const { addedMb, addedCpuPercent, firstMs, allMs } = await observeEvents(connection, client, small)
  const title = '9. From a stored result to its event'
  return [
    boundFigure('9. Memory that 1,000 open event streams add', addedMb, 60, 'MB'),
    boundFigure('9. Processor time that 1,000 open event streams add, idle', addedCpuPercent, 2, '%'),
    boundFigure(`${title}, median`, median(firstMs), 100, 'ms'),
    boundFigure(`${title}, 95th percentile`, percentile95(firstMs), 300, 'ms'),
    boundFigure(`${title} in all of 1,000 streams, median`, median(allMs), 200, 'ms'),
    boundFigure(`${title} in all of 1,000 streams, 95th percentile`, percentile95(allMs), 500, 'ms'),
  ]
}

async function measureReads(bench: Bench): Promise<Figure[]> {
  const reads = await compareReads(bench.client, bench.caseward, bench.reference, bench.small)
  return READS.flatMap((name) => {
    const { caseward, js, pg: byPostgres } = reads[name]
    const [jsLimit, pgLimit] = READ_LIMITS[name]
    const title = `3. ${READ_TITLES[name]}; reference: the bare handler`
    return [
      rateFigure(`${title}, rows serialized by JavaScript`, caseward.rate, js.rate, jsLimit),
      rateFigure(`${title}, JSON built by PostgreSQL`, caseward.rate, byPostgres.rate, pgLimit),
      costFigure(
        `3. Processor time of ${READ_TITLES[name]}; reference: the bare handler, rows serialized by JavaScript`,
        caseward.cpuUs,
        js.cpuUs,
        COST_LIMITS[name],
      ),
    ]
  })
}

async function measureRows({ caseward, reference, small }: Bench): Promise<Figure[]> {
  const rates = await compareRows(caseward, reference, small)
  const title = '9. 2,000 rows of GET …/test-cases?fields=row, per byte; reference: the bare handler'
  return [
    volumeFigure(`${title} with the same rows, serialized by JavaScript`, rates.caseward, rates.js, 1),
    volumeFigure(`${title} with the same rows, JSON built by PostgreSQL`, rates.caseward, rates.pg, 1),
    volumeFigure(`${title} of the list, rows serialized by JavaScript`, rates.caseward, rates.jsList, 0.75),
    volumeFigure(`${title} of the list, JSON built by PostgreSQL`, rates.caseward, rates.pgList, 0.55),
    boundFigure('9. Rows of 10,000 test cases, compressed', await measureIndexKb(caseward, small), 350, 'KB'),
  ]
}

async function measureGrowth(bench: Bench): Promise<Figure[]> {
  return await compareGrowth(bench, await getLarge(bench), ROUNDS)
}

async function measureLargeUploads(bench: Bench): Promise<Figure[]> {
  const observed = await observeLargeUploads(bench.connection, await getLarge(bench))
  return [
    boundFigure('6. Resident memory, idle', observed.idleMb, 150, 'MB'),
    boundFigure('6. Resident memory, maximum during uploads of 10 MB', observed.peakRssMb, 300, 'MB'),
    boundFigure('6. Event loop blocked by 10 MB of JUnit XML', observed.junitMs, 50, 'ms'),
    boundFigure('6. Event loop blocked by 10 MB of JUnit XML inside JSON', observed.junitInJsonMs, 50, 'ms'),
    boundFigure('6. Event loop blocked by 10 MB of JSON', observed.jsonMs, 150, 'ms'),
    boundFigure('6. Event loop blocked by 10 MB of JSON, none of it in the run', observed.notInRunMs, 150, 'ms'),
  ]
}

async function measureSearch(bench: Bench): Promise<Figure[]> {
  return toSearchFigures(await compareSearch(bench.client, bench.caseward, await getLarge(bench)))
}

async function measureBackup(bench: Bench): Promise<Figure[]> {
  const { connection, client, caseward } = bench
  const observed = await observeBackup(connection, client, caseward, await getLarge(bench))
  return [
    boundFigure('11. Backup with 1,000,000 results, during uploads', observed.backupSeconds, 60, 's'),
    boundFigure('11. Restore of it, with the check of the file', observed.restoreSeconds, 90, 's'),
    boundFigure('11. Size of the file', observed.fileMb, 100, 'MB'),
    boundFigure('11. Tables with other rows after the restore', observed.differingTables, 0, ''),
    timeFigure(
      '11. Upload of 10,000 results during the backup; reference: before it',
      observed.busyMs,
      observed.idleMs,
      3,
    ),
  ]
}

async function getUploadJsonMs(bench: Bench): Promise<number> {
  if (bench.uploadJsonMs === undefined) await measureUploads(bench)
  return bench.uploadJsonMs ?? Number.NaN
}

async function getLarge(bench: Bench): Promise<SeededProject> {
  bench.large ??= await growTo100k(bench.client, bench.small)
  return bench.large
}
