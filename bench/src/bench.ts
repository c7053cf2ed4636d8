import { cpus } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { compareWithCheckout } from './before.ts'
import { measureCitus } from './citus.ts'
import type { Figure } from './figures.ts'
import { measureGrowthLevels } from './growth-levels.ts'
import { measureInsightPages } from './insight-pages.ts'
import { type Bench, groups, partNames } from './parts.ts'
import { printFigures, writeSection } from './readme.ts'
import { seedProject, vacuumAnalyze } from './seed.ts'
import { measureLabels, readLabels } from './validity/labels.ts'
import { measureValidity } from './validity/validity.ts'
import { type Server, startCaseward, startPostgres, startReference } from './servers.ts'

const printLine = (text: string) => process.stderr.write(`${text}\n`)

const GROWTH = '--growth'
/** A part of its own: it needs a cluster. */
const CITUS = 'citus'
/** A part of its own: it needs public data. */
const VALIDITY = 'insight-validity'
/** A part of its own: it needs what readers say of public data. */
const LABELS = 'insight-labels'
/** A part of its own: it needs another checkout. */
const BEFORE = 'before'
/** A part of its own: it writes rows for minutes. */
const PAGES = 'insight-pages'
const OUTCOMES = '--outcomes='
/** What takes a part several minutes. */
const LARGE = '--large'
const ALONE = [CITUS, VALIDITY, LABELS, BEFORE, PAGES]
const requested = process.argv.slice(2).filter((name) => ![GROWTH, LARGE].includes(name) && !name.startsWith(OUTCOMES))
const unknown = requested.filter((name) => !partNames.includes(name) && !ALONE.includes(name))
if (unknown.length > 0) {
  printLine(`Unknown part: ${unknown.join(', ')}. The parts are: ${[...partNames, ...ALONE].join(', ')}.`)
  process.exit(1)
}

if (requested.includes(CITUS)) {
  const citusUrl = process.env['CITUS_URL']
  if (!citusUrl || requested.length > 1) {
    printLine('The part "citus" runs alone, and needs CITUS_URL: a database of a Citus coordinator with two workers.')
    process.exit(1)
  }
  process.stdout.write(`${await measureCitus(citusUrl, printLine)}\n`)
} else if (requested.includes(VALIDITY)) {
  const directory = process.env['VALIDITY_DATA']
  if (!directory || requested.length > 1) {
    printLine(
      `The part "${VALIDITY}" runs alone, and needs VALIDITY_DATA: a directory with clones of rjust/defects4j, nodejs/reliability and TestingResearchIllinois/rerunning-no-tests.`,
    )
    process.exit(1)
  }
  printFigures(await measureValidity(directory, printLine))
} else if (requested.includes(BEFORE)) {
  const directory = process.env['BEFORE_CHECKOUT']
  if (!directory || requested.length > 1) {
    printLine(
      `The part "${BEFORE}" runs alone, and needs BEFORE_CHECKOUT: a directory with another version that is built.`,
    )
    process.exit(1)
  }
  printFigures(await compareWithCheckout(directory, printLine))
} else if (requested.includes(LABELS)) {
  const { VALIDITY_LABELS: labels, JUNIT_CORPUS: reports, VALIDITY_DATA: directory } = process.env
  if (!labels || !reports || !directory || requested.length > 1) {
    printLine(
      `The part "${LABELS}" runs alone, and needs VALIDITY_LABELS: a file with labels, JUNIT_CORPUS: a directory with JUnit reports, and VALIDITY_DATA: a directory with a clone of nodejs/reliability.`,
    )
    process.exit(1)
  }
  const sources = { reports, checkout: join(directory, 'reliability') }
  printFigures(await measureLabels(await readLabels(labels), sources, printLine))
} else if (requested.includes(PAGES)) {
  const outcomes = Number(process.argv.find((name) => name.startsWith(OUTCOMES))?.slice(OUTCOMES.length) ?? 10_000_000)
  printFigures(await withService(({ client, caseward }) => measureInsightPages(client, caseward, outcomes, printLine)))
} else if (process.argv.includes(GROWTH)) {
  printFigures(await measureGrowthLevels(printLine))
} else {
  const names = requested.length === 0 ? partNames : requested
  const table = printFigures((await measure(names)).toSorted((a, b) => a.what.localeCompare(b.what)))
  if (requested.length === 0) await writeSection('service', renderSection(table))
}

/** Runs work with a service of its own. */
async function withService(
  work: (service: { client: pg.Client; caseward: Server }) => Promise<Figure[]>,
): Promise<Figure[]> {
  const postgres = await startPostgres()
  const client = new pg.Client(postgres.connection)
  const caseward = await startCaseward(postgres.connection)
  await client.connect()
  try {
    return await work({ client, caseward })
  } finally {
    await client.end()
    await caseward.close()
    await postgres.close()
  }
}

async function measure(names: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const group of groups) {
    const chosen = Object.entries(group).filter(([name]) => names.includes(name))
    if (chosen.length > 0) figures.push(...(await measureGroup(chosen)))
  }
  return figures
}

async function measureGroup(group: [string, (bench: Bench) => Promise<Figure[]>][]): Promise<Figure[]> {
  const postgres = await startPostgres()
  const client = new pg.Client(postgres.connection)
  const caseward = await startCaseward(postgres.connection)
  const reference = await startReference(postgres.connection)
  await client.connect()
  try {
    const small = await seedProject(client, 10_000)
    await vacuumAnalyze(client)
    const isLarge = process.argv.includes(LARGE)
    const bench: Bench = { connection: postgres.connection, client, caseward, reference, small, isLarge, printLine }
    const results: Figure[] = []
    for (const [name, run] of group) {
      printLine(name)
      const figures = await run(bench)
      for (const { what, measured, reference: compared } of figures) printLine(`  ${what}: ${measured} ${compared}`)
      results.push(...figures)
    }
    return results
  } finally {
    await client.end()
    await caseward.close()
    await reference.close()
    await postgres.close()
  }
}

function renderSection(table: string): string {
  return `# Benchmarks

\`npm run bench\` measures the service and writes this section. \`npm run bench -- ${partNames.slice(0, 2).join(' ')}\` measures parts and
writes nothing. The parts are: ${partNames.join(', ')}.

\`npm run bench -- citus\` compares uploads per second of a plain database with those of a database that is distributed with
Citus, at \`CITUS_URL\`, and writes nothing.

\`npm run bench -- insight-validity\` compares what the service concludes about failures with public data, whose causes are
known, and writes nothing. \`VALIDITY_DATA\` names a directory with clones of the GitHub repositories rjust/defects4j,
nodejs/reliability and TestingResearchIllinois/rerunning-no-tests.

\`npm run bench -- before\` compares this service with that of another checkout, which is built, at \`BEFORE_CHECKOUT\`, on one
PostgreSQL, and writes nothing: what a project costs that uses nothing new. The processor time of the service and of its connections
counts, which depends least on what else the machine does. Evaluations of uploads wait meanwhile.

\`npm run bench -- insight-labels\` compares what the service finds in failures with what a reader says of them, prints where they differ,
and writes nothing. \`VALIDITY_LABELS\` names a file with fields that are separated by tabs: \`failure\`, a report in the directory
\`JUNIT_CORPUS\`, which of its failures (0 is the first), kind, frame; or \`pair\`, a test of nodejs/reliability in \`VALIDITY_DATA\`, two
of its texts, each by the first 12 digits of its SHA-256, and \`same\` or \`other\`.

\`npm run bench -- insight-pages --outcomes=10000000\` compares the pages of insight in a project with so many outcomes with those in one
that has only those of the last 90 days, and writes nothing. Both have a run of 5,000 tests every nine hours.

With 100,000,000 outcomes (20,000 runs, 17 GB, written in 22 minutes at a load of 10 to 17; ten million in less than two), the pages take 0.90 to
1.13 times as long as with 1,200,000: Health 68 ms, Failures 49 (30 days) and 91 (90 days), Flaky 11, Quarantine 3.7, Speed 5.6, Drift 4.1, comparison
of two runs 15, failures of a run 9.1, report 193 ms. Before runs had an index by the time when they were created, Speed was at 4.4×, the
question whether tests were repeated at 3.0× and the report at 1.6× (518 ms): they read all runs of the project.

\`npm run bench -- moving-in --large\` measures imports and exports also with 100,000 test cases and 1,000,000 results, which takes a quarter of
an hour; without \`--large\`, the part has 10,000 and 100,000. It has a database of its own, and generates its files itself.

On a machine without other load, before batches read only their own records: plan of 10,000 test cases 8.8 s (3.57× of the bare pass and
insert, goals 8 s and 4×), apply 4.1 s (2.71×, goal 2×), the same file again 9.2 s (goal 6 s), memory of the plan 67 MB for 1,000 and 107 MB for
10,000, the command against a fake of TestRail 11.3 s, uploads with 100,000 ids of TestRail 0.97× (own ids) and 1.07× (\`[C…]\`), a workbook
of 50,000 rows 6.6 s and 261 MB (goals 5 s and 120 MB), reads meanwhile 5.8× (goal 1.5×), 100,000 results 44.5 s (goal of a million: 60 s).
Of 50,000 results, the proof took 30 s of 41.6 s; since it reads only the runs of the import, apply takes 11.8 s.

Since then, on a busy machine (load 4 to 9 on two processors), in two rounds by turns with what was before, processor time of the service and
of PostgreSQL together: plan of 10,000 test cases 15.8 and 12.1 s before, 11.0 and 10.5 s after; apply 5.2 and 4.9 s, 4.5 and 4.5 s; the same
file again 13.7 and 14.5 s, 9.9 and 9.6 s. A workbook of 50,000 rows took 12.6 s and 235 MB before, 5.0 and 6.2 s and 88 MB after; memory of the
plan is 51 MB for 1,000 and 88 MB for 10,000.

Since results that are the only ones of their test case in a run are written in one statement for each 2,000, by turns with what was before, at a
load of 8 to 11, processor time for 40,000 results of 2,000 test cases: apply 9.0 and 9.2 s before, 5.3 and 6.1 s after; plan 10.7 and 14.0 s, 9.8
and 10.9 s. At a load of 6, apply took 3.5 s, and 3.4 s by the clock. Plan and apply of 5,000 test cases differ less than they scatter.

\`npm run bench -- --growth\` compares a database of 1,000,000 and then 10,000,000 results with one of 10,000, and
writes nothing. Both are on the same PostgreSQL and are measured alternately: reads, searches, uploads, and creating
runs, with test cases and runs chosen at random. Each figure is at most 1.2 times that of the small database. It takes
about half an hour and 12 GB of disk.

Each figure is a ratio to a bare reference that is measured alternately in the same run, on the same machine and the same
database. Compare ratios, not times. Caseward runs as in production, with authentication, permissions, validation, metrics
and log, but with very high rate limits. The references only execute their one statement. The load is generated on the same
machine. MB/s are megabytes of uncompressed responses per second: compact rows, 2,000 in a response, are compared with the
bare handlers per byte.

Reads do what the bare handlers do not: they find whose token it is, count the request, check the permission, find their route among 700, set
eight headers, measure the time and log a line. Of 200 µs of a profile of a single test case, these are the guard (6.0), the log line (5.7),
Fastify with the headers (4.0 more than the bare handler's), the route (3.2 more), the handler (2.6) and other hooks (2.2). A page of results
pays for them, too: of 1.22× the bare handler's processor time, 25 µs are these, and decoding rows cannot win them back.

Processor time by turns on a busy machine (load 10 to 14, 25 rounds of 500 requests, medians of the ratios), compared with the bare
handler that serializes by JavaScript, and before what is cached was no longer awaited and queries were no longer copied: a test case 1.31×
(1.43×), projects 1.27× (1.42×), test cases 0.95× (1.08×), results 1.22× (1.44×). Compared with commit 917ff17, which the goals of reads come
from: 0.95×, 0.86×, 0.99× and 1.03×. A trial with counters of durations of our own instead of prom-client's is in these figures; they
take 2 % less, and were not kept.

Compact rows are compared with the list's bare handler as well, which sends other columns: the bare handler with the same rows has 0.79 and
0.60 of its MB/s.

The reference of known tests writes what an upload has to store, in one transaction: outcomes, results with what they were before,
the counters of the run by the difference, and the record of the upload.

Changes of test cases are compared with those of a second service on the same database, whose module that writes versions is
replaced by one that writes none (\`without-hooks.ts\`); all else is the same. So are uploads with those to a service that evaluates
none. Rows of a run with combinations are compared with
rows that are tested, too: the names and times of testers make a row longer, which the reference lacked before. The filters of
part 13 have 100,000 test cases and not 1,000,000: to insert 50,000 takes 4.7 s of processor time, so that a million would take
a minute and a half, without values, statistics and their removal.

Combinations, measured on a machine with a load of 10 and more, where only processor time (service and connections) compares:
10,000 combinations in bulk 1.44× of 10,000 results (361 and 251 ms), a run of 2,000 cases × 6 combinations 0.58× of one of 12,000 cases
(95 and 166 ms), 2,000 rows with combinations 0.96 times the rate (44.4 and 42.5 ms, 7 % more bytes). Of the 48 ms for 12,000 new rows of
\`result_combinations\`, more than half is their primary key; without any index they would take 12 ms.

Compared with abfc449c, before the first commit about rich test cases (\`before\`, median of 41 pairs, nothing else running): reading a test
case 0.97×, a list of 50 test cases 1.02×, of 50 results 0.97×, creating a run of 2,000 test cases 1.00×, uploading 1,000 results 0.93×.
Until now, uploads took 2.06 times as long in this comparison: evaluations waited for a lock of the bench in transactions of their own,
which kept PostgreSQL from clearing old versions of rows, so that a third of the updates wrote to all indexes. Jobs are put off for a day instead.
Besides, an upload no longer adds a job again that waits already (1.6 ms of 25).

The reference of stored pictures (part 12) hashes, writes, waits for the disk and renames as the design says, and then does what any server
must that has to find the file again: it waits until the name is on the disk, and inserts a row. Without these two, it takes 1.8 ms of
processor time a picture instead of 3.1, and cannot say after a crash what it has.

Declaring 300 files adds 19 ms to the transaction of an upload: 9 in PostgreSQL (300 rows with five entries of indexes each, counters of 100 tests
and 100 results), and 9 in the service. In 60 pairs, an upload took 299 ms in the service with them and 274 ms without, 1.09×; measured by the
client, with 25 KB more to answer, it was 272 and 243 ms. The limit was 1.1× when an upload took 305 ms.

Parts that build on one another share a database: uploads to rows, and growth to search, which have 1,000,000 results and 100,000
test cases. Each of the others has a new one. Jobs are put off while uploads and reads are measured: the evaluation of an upload begins
after two seconds, and would take a processor from the uploads that follow. Part 14 measures it.

Last run: Node ${process.version}, ${cpus().length} cores, the embedded PostgreSQL.

${table}
`
}
