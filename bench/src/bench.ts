import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { boundFigure, type Figure, meetsLimit, perSecond, rateFigure, table, timeFigure } from './figures.ts'
import { compareSearch, growTo100k } from './growth.ts'
import { observeLargeUploads } from './large-uploads.ts'
import { compareReads, type ReadRates, READS } from './reads.ts'
import { observeReporters } from './reporters.ts'
import { compareRunCreation } from './runs.ts'
import { seedProject, seedRun, vacuumAnalyze } from './seed.ts'
import { startCaseward, startPostgres, startReference } from './servers.ts'
import { compareUploads } from './uploads.ts'

const ROUNDS = 9
const READ_NAMES = {
  results: 'GET /v1/runs/:rid/results',
  'test-cases': 'GET …/test-cases',
  projects: 'GET /v1/projects',
  'test-case': 'GET …/test-cases/:id',
}

/** The share of the bare handlers' rates that each read must reach: rows serialised by JavaScript, by PostgreSQL. */
const WANTED = { results: [1, 0.6], 'test-cases': [1, 0.6], projects: [0.75, 0.75], 'test-case': [0.75, 0.75] } as const

const say = (text: string) => process.stderr.write(`${text}\n`)
const figures: Figure[] = []
const postgres = await startPostgres()
const client = new pg.Client(postgres.connection)
const caseward = await startCaseward(postgres.connection)
const reference = await startReference(postgres.connection)
await client.connect()

try {
  say('uploads of 10,000 results')
  const small = await seedProject(client, 10_000)
  await vacuumAnalyze(client)
  const uploads = await compareUploads(client, caseward, small, 10_000, ROUNDS)
  figures.push(
    timeFigure(
      '1. Upload of 10,000 results, JSON; reference: the bare `unnest` update',
      uploads.json,
      uploads.bare,
      1.6,
    ),
    timeFigure(
      '2. The same as JUnit XML; reference: 1.5 × the JSON upload + one bare saxes pass',
      uploads.xml,
      1.5 * uploads.json + uploads.tokenise,
      1,
    ),
  )

  say('suites of 5,000 tests')
  const reporters = await observeReporters(caseward, small, 5000, 5)
  figures.push(
    boundFigure('7. A suite of 5,000 tests, from its end to stored', reporters.storedMs, 1000, 'ms'),
    boundFigure('7. What a reporter adds to each test', reporters.perTestMs, 1, 'ms'),
    boundFigure('7. What a reporter adds at the start', reporters.startMs, 50, 'ms'),
  )

  say('uploads of 50,000 results')
  const fifty = await seedProject(client, 50_000)
  await vacuumAnalyze(client)
  const fiftyThousand = await compareUploads(client, caseward, fifty, 50_000, 5)
  figures.push(
    timeFigure('1. Upload of 50,000 results, JSON; reference: 10,000', fiftyThousand.json, uploads.json, 5.2),
  )
  await client.query('delete from projects where id = $1', [fifty.projectId])

  say('creating a run over 10,000 cases')
  const runs = await compareRunCreation(client, caseward, small, 5)
  figures.push(
    timeFigure('5. Creating a run over 10,000 cases; reference: the bare `insert … select`', runs.ours, runs.bare, 2),
  )
  await client.query('delete from test_results where run_id not in (select id from runs)')
  await vacuumAnalyze(client)

  say('reads')
  const reads = await compareReads(client, caseward, reference, small)
  for (const name of READS) figures.push(...readFigures(READ_NAMES[name], reads[name], WANTED[name]))

  say('growing to 100,000 cases and 1,000,000 results')
  const tenThousand = { ...small, runId: await seedRun(client, small.projectId) }
  const large = await growTo100k(client, small)
  const grown = await compareReads(client, caseward, reference, large)
  for (const name of READS) {
    figures.push({
      what: `4. ${READ_NAMES[name]} with 1,000,000 results and 100,000 cases; reference: with 10,000`,
      measured: perSecond(grown[name].ours),
      reference: perSecond(reads[name].ours),
      value: reads[name].ours / grown[name].ours,
      limit: { at: 'most', value: 1.2, unit: '×' },
    })
  }
  const grownUploads = await compareUploads(client, caseward, tenThousand, 10_000, ROUNDS)
  figures.push(
    timeFigure(
      '4. Upload of 10,000 results with 1,000,000 in the database; reference: with 10,000',
      grownUploads.json,
      uploads.json,
      1.2,
    ),
  )
  say('uploads of 10 MB')
  const observed = await observeLargeUploads(postgres.connection, large)
  figures.push(
    boundFigure('6. Resident memory, idle', observed.idleMb, 150, 'MB'),
    boundFigure('6. Resident memory, the most during uploads of 10 MB', observed.peakRssMb, 300, 'MB'),
    boundFigure('6. Event loop held by 10 MB of JUnit XML', observed.junitMs, 50, 'ms'),
    boundFigure('6. Event loop held by 10 MB of JUnit XML inside JSON', observed.junitInJsonMs, 50, 'ms'),
    boundFigure('6. Event loop held by 10 MB of JSON', observed.jsonMs, 150, 'ms'),
    boundFigure('6. Event loop held by 10 MB of JSON, nothing of it in the run', observed.strangeMs, 150, 'ms'),
  )

  say('search among 1,000,000 titles')
  const search = await compareSearch(client, caseward, large)
  figures.push(
    rateFigure(
      '4. `search` that matches 20 of 1,000,000 titles; reference: a single read',
      search.search,
      search.single,
      1 / 3,
    ),
    rateFigure(
      '4. `search` for two letters in 10 titles beside those; reference: a single read',
      search.twoLetters,
      search.single,
      1 / 5,
    ),
  )
} finally {
  await client.end()
  await caseward.close()
  await reference.close()
  await postgres.close()
}

const report = table(figures.toSorted((a, b) => a.what.localeCompare(b.what)))
process.stdout.write(`${report}\n`)
const missed = figures.filter((figure) => !meetsLimit(figure))
say(missed.length === 0 ? 'every figure is as wanted' : `${missed.length} figures are not as wanted`)
await writeFile(fileURLToPath(new URL('../README.md', import.meta.url)), page(report))

function readFigures(
  name: string,
  { ours, js, pg: byPostgres }: ReadRates,
  [ofJs, ofPg]: readonly [number, number],
): Figure[] {
  return [
    rateFigure(`3. ${name}; reference: the bare handler, rows serialised by JavaScript`, ours, js, ofJs),
    rateFigure(`3. ${name}; reference: the bare handler, JSON built by PostgreSQL`, ours, byPostgres, ofPg),
  ]
}

function page(text: string): string {
  return `# Speed and size

\`npm run bench\` measures all of this and writes this page. Each figure is a ratio to a bare reference that takes turns with it
in the same run, on the same machine and the same database: compare ratios, not times. Caseward runs as it does in production
(authentication, permission, validation, rate limit, metrics and log on; only the limits are out of the way); the references
do nothing but their one statement. The load comes from the same machine.

Last run: Node ${process.version}, ${cpus().length} cores, the embedded PostgreSQL.

${text}
`
}
