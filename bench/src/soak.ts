import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { boundFigure, type Figure, meetsLimit } from './figures.ts'
import { median } from './measure.ts'
import { printFigures } from './readme.ts'
import { startEmbeddedCaseward } from './servers.ts'
import { countWrongCounters, findMissingWrites } from './soak/soak-checks.ts'
import { startSoakLoad } from './soak/soak-load.ts'
import { makeScheduledBackup, readServiceDigests, restoreBackup, withDatabase } from './soak/soak-service.ts'

/* `npm run soak -- <minutes>`: uses a service with the embedded database for a while, and shows what it loses and how it grows. */

const minutes = Number(process.argv[2] ?? 30)
if (!(minutes > 0)) {
  process.stderr.write('Usage: npm run soak -- <minutes>\n')
  process.exit(1)
}
const DURATION_MS = minutes * 60_000
/** Before this share of the time, caches and the heap still grow. */
const WARM_UP = 0.25
const SAMPLE_MS = Math.min(5000, DURATION_MS / 60)
const BACKUP_MS = Math.min(60_000, DURATION_MS / 5)
const MAX_GROWTH_PERCENT = 5

const printLine = (text: string) => process.stderr.write(`${text}\n`)
const directory = await mkdtemp(join(tmpdir(), 'caseward-soak-'))
await chmod(directory, 0o755) // As root, PostgreSQL runs under another account.
try {
  const figures = await soak()
  printFigures(figures)
  if (!figures.every(meetsLimit)) process.exitCode = 1
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function soak(): Promise<Figure[]> {
  const [dataDir, backupDir, restoredDir] = ['data', 'backups', 'restored'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(dataDir, { mode: 0o755 })
  const caseward = await startEmbeddedCaseward({ DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_KEEP: '3' })
  try {
    return await withDatabase(dataDir, async (client) => {
      const load = await startSoakLoad(caseward.url)
      const end = Date.now() + DURATION_MS
      const samples: number[] = []
      let backups = 0
      const sample = async () => {
        for (; Date.now() < end; await sleep(SAMPLE_MS)) samples.push((await caseward.getStats()).rssMb)
      }
      const backUp = async () => {
        for (; Date.now() + BACKUP_MS / 2 < end; await sleep(BACKUP_MS)) {
          await makeScheduledBackup(client, backupDir)
          backups += 1
        }
      }
      const report = async () => {
        for (let elapsed = 1; elapsed < minutes; elapsed += 1) {
          await sleep(60_000)
          printLine(
            `${elapsed} of ${minutes} minutes: ${Math.round(samples.at(-1) ?? 0)} MB, ${backups} backups, ${load.failures.length} failures`,
          )
        }
      }
      await Promise.all([sample(), backUp(), report(), sleep(DURATION_MS)])
      await load.stop()
      for (const failure of load.failures) printLine(`failed: ${failure}`)

      const missing = await findMissingWrites(client, load.projectId, load.writes)
      for (const write of missing.slice(0, 20)) printLine(`missing: ${write}`)
      const file = await makeScheduledBackup(client, backupDir)
      const digests = await readServiceDigests(client)
      await restoreBackup(file, restoredDir)
      const restored = await withDatabase(restoredDir, readServiceDigests)
      const differing = Object.keys({ ...digests, ...restored }).filter((name) => digests[name] !== restored[name])
      for (const name of differing) printLine(`differs after the restore: ${name}`)
      const count = (map: Map<unknown, unknown>) => map.size.toLocaleString('en')
      return [
        ...Object.entries(load.counts).map(([kind, { sent, failed }]) =>
          boundFigure(`Failed of ${sent.toLocaleString('en')} requests: ${kind}`, failed, 0, ''),
        ),
        boundFigure(
          `Acknowledged writes that are missing, of ${count(load.writes.statuses)} results and ${count(load.writes.titles)} titles`,
          missing.length,
          0,
          '',
        ),
        boundFigure('Runs with wrong counters', await countWrongCounters(client), 0, ''),
        ...describeMemory(samples),
        boundFigure('Backups by the service under load', backups, 1, '', 'least'),
        boundFigure(
          `Tables of ${Object.keys(digests).length} that differ after a restore of the last backup`,
          differing.length,
          0,
          '',
        ),
      ]
    })
  } finally {
    await caseward.close()
  }
}

/** Compares the medians of the first and the last fifth of the samples after the warm-up. */
function describeMemory(samples: readonly number[]): Figure[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP))
  const fifth = Math.max(1, Math.floor(warm.length / 5))
  const first = median(warm.slice(0, fifth))
  const last = median(warm.slice(-fifth))
  return [
    boundFigure('Resident memory after the warm-up', first, 500, 'MB'),
    boundFigure('Resident memory at the end', last, 500, 'MB'),
    boundFigure('Growth of resident memory', (last / first - 1) * 100, MAX_GROWTH_PERCENT, '%'),
  ]
}
