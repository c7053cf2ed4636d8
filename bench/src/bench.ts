import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { type Figure, formatTable, meetsLimit } from './figures.ts'
import { type Bench, parts } from './parts.ts'
import { seedProject, vacuumAnalyze } from './seed.ts'
import { startCaseward, startPostgres, startReference } from './servers.ts'

const printLine = (text: string) => process.stderr.write(`${text}\n`)

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !(name in parts))
if (unknown.length > 0) {
  printLine(`Unknown part: ${unknown.join(', ')}. The parts are: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

const figures = await measure(requested.length === 0 ? Object.keys(parts) : requested)
const table = formatTable(figures.toSorted((a, b) => a.what.localeCompare(b.what)))
process.stdout.write(`${table}\n`)
const missed = figures.filter((figure) => !meetsLimit(figure))
printLine(missed.length === 0 ? 'All figures meet their limits.' : `${missed.length} figures miss their limits.`)
if (requested.length === 0) {
  const readme = fileURLToPath(new URL('../README.md', import.meta.url))
  await writeFile(readme, renderReadme(table))
  // Aligns the table, as `npm run check` demands.
  execFileSync('npx', ['oxfmt', readme])
}

async function measure(names: readonly string[]): Promise<Figure[]> {
  const postgres = await startPostgres()
  const client = new pg.Client(postgres.connection)
  const caseward = await startCaseward(postgres.connection)
  const reference = await startReference(postgres.connection)
  await client.connect()
  try {
    const small = await seedProject(client, 10_000)
    await vacuumAnalyze(client)
    const bench: Bench = { connection: postgres.connection, client, caseward, reference, small }
    const results: Figure[] = []
    for (const [name, run] of Object.entries(parts)) {
      if (!names.includes(name)) continue
      printLine(name)
      results.push(...(await run(bench)))
    }
    return results
  } finally {
    await client.end()
    await caseward.close()
    await reference.close()
    await postgres.close()
  }
}

function renderReadme(text: string): string {
  return `# Benchmarks

\`npm run bench\` measures all of this and writes this page. \`npm run bench -- ${Object.keys(parts).slice(0, 2).join(' ')}\` measures parts and
writes nothing. The parts are: ${Object.keys(parts).join(', ')}.

Each figure is a ratio to a bare reference that is measured alternately in the same run, on the same machine and the same
database. Compare ratios, not times. Caseward runs as in production, with authentication, permissions, validation, metrics
and log, but with very high rate limits. The references only execute their one statement. The load is generated on the same
machine.

Last run: Node ${process.version}, ${cpus().length} cores, the embedded PostgreSQL.

${text}
`
}
