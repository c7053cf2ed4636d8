// Measures what docs/operating/sizing.md says. Everything runs on this machine: the service, the embedded PostgreSQL and the
// load. It ends by itself.
//
//   npm run bench:sizing [-- --scale=0.1]     with a tenth of the 1,000,000 results, and shorter measurements
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import type { Connection } from '@caseward/embedded-postgres'
import { startEmbeddedDatabase } from '@caseward/server/platform/database/embedded'
import pg from 'pg'

import { startCaseward } from './servers.ts'
import { comparePoolSizes, compareSharedBuffers } from './sizing/compare-settings.ts'
import { addAuditEntries, type Filled, fillDatabase, SUITE_SIZE } from './sizing/fill-database.ts'
import { measureBackupMb, measureLog } from './sizing/measure-process.ts'
import { measureProcessorTime } from './sizing/measure-processor-time.ts'
import { measureDiskUse, measureTables } from './sizing/measure-storage.ts'
import { measureUploads } from './sizing/measure-uploads.ts'
import { findMaxUsers, formatMix, isFastEnough } from './sizing/simulate-users.ts'

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } })
const scale = Number(values.scale)
if (!(scale > 0 && scale <= 10)) {
  console.error('--scale must be a number from 0.01 to 10')
  process.exit(1)
}
const runs = Math.max(1, Math.round(100 * scale))
const seconds = Math.max(3, Math.round(10 * Math.min(scale, 1)))

const print = (what: string, value: string) => console.log(`${what.padEnd(58)} ${value}`)
const printTitle = (title: string) => console.log(`\n${title}`)
const mb = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} MB`

const directory = await mkdtemp(join(tmpdir(), 'caseward-sizing-'))
await chmod(directory, 0o755) // As root, PostgreSQL runs under another account.
const log = { info() {}, warn: console.warn, error: console.error, debug() {} }
try {
  await measureAll()
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function measureAll(): Promise<void> {
  console.log(
    `${cpus().length} cores, ${(totalmem() / 1024 ** 3).toFixed(0)} GB of memory, Node ${process.version}, ${runs * SUITE_SIZE} results`,
  )
  const postgres = await startEmbeddedDatabase({ dataDir: directory, dataDirIsDefault: false, log })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  let filled: Filled
  try {
    filled = await measureDefault(client, postgres.connection)
    printTitle('DATABASE_POOL_SIZE, requests per second as a multiple of those with 10')
    for (const { value, ratio } of await comparePoolSizes(postgres.connection, filled, seconds)) {
      print(value, ratio.toFixed(2))
    }
  } finally {
    await client.end()
    await postgres.close()
  }
  printTitle('shared_buffers, requests per second as a multiple of those with 128 MB')
  const database = { dataDir: directory, clusterDirectory: postgres.clusterDirectory }
  for (const { value, ratio } of await compareSharedBuffers(database, filled, seconds)) print(value, ratio.toFixed(2))
}

/** Measures a server with the default settings. */
async function measureDefault(client: pg.Client, connection: Connection): Promise<Filled> {
  const server = await startCaseward(connection)
  try {
    const idle = await server.getStats()
    const filled = await fillDatabase(client, server, runs)
    await addAuditEntries(client, 10_000)
    await printStorage(client, connection, filled)

    printTitle(`Users of the web app: ${formatMix()}`)
    server.resetPeak()
    const levels = await findMaxUsers(server, filled, seconds)
    for (const { users, requestsPerSecond, p95Ms, failed } of levels) {
      print(
        `${users} users`,
        `${requestsPerSecond.toFixed(0)} requests/s, p95 ${p95Ms.toFixed(0)} ms, ${failed} failed`,
      )
    }
    print('most users with a p95 of 200 ms', String(levels.findLast(isFastEnough)?.users ?? 0))

    const { serviceMs, databaseMs } = await measureProcessorTime(server, client, filled, seconds)
    print('processor time of a request, service', `${serviceMs.toFixed(2)} ms`)
    print('processor time of a request, database', `${databaseMs.toFixed(2)} ms`)

    printTitle('CI')
    for (const size of [100, 1000, 10_000]) {
      const { uploadsPerMinute, p95Ms } = await measureUploads(server, client, filled, size, seconds)
      print(
        `uploads of ${size} tests, 4 at a time`,
        `${uploadsPerMinute.toFixed(0)} a minute, p95 ${p95Ms.toFixed(0)} ms`,
      )
    }
    const loaded = await server.getStats()

    printTitle('Process')
    print('resident memory, after the start', mb(idle.rssMb))
    print('resident memory, maximum under this load', mb(loaded.peakRssMb))
    for (const logRequests of ['all', 'errors'] as const) {
      const { startMs, bytesPerRequest } = await measureLog(connection, logRequests)
      print(`log of a request, LOG_REQUESTS=${logRequests}`, `${bytesPerRequest.toFixed(0)} bytes`)
      print('start until /readyz', `${(startMs / 1000).toFixed(1)} s`)
    }
    return filled
  } finally {
    await server.close()
  }
}

async function printStorage(client: pg.Client, connection: Connection, filled: Filled): Promise<void> {
  printTitle('Disk space of a row, with all indexes')
  for (const { what, rows, bytesPerRow } of await measureTables(client)) {
    print(what, `${bytesPerRow.toFixed(0)} bytes (of ${rows} rows)`)
  }
  const { databaseMb, walMb, largestTableMb } = await measureDiskUse(client)
  const backupMb = await measureBackupMb(connection, directory)
  printTitle('Disk')
  print('database', mb(databaseMb))
  print('write-ahead log that is kept, at most about', mb(walMb))
  print('write-ahead log that a result takes', `${filled.walBytesPerResult.toFixed(0)} bytes`)
  print('backup', `${mb(backupMb)}, ${((100 * backupMb) / databaseMb).toFixed(0)} % of the database`)
  print('largest table with its indexes', mb(largestTableMb))
}
