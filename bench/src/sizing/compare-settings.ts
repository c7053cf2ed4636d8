import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Connection } from '@caseward/embedded-postgres'
import { startEmbeddedDatabase } from '@caseward/server/platform/database/embedded'

import { startCaseward } from '../servers.ts'
import type { Filled } from './fill-database.ts'
import { measureMixRate } from './simulate-users.ts'

/** The embedded database accepts 50 connections: those of the pool, of jobs and of event streams. */
const POOL_SIZES = [5, 10, 20, 40]
const SHARED_BUFFERS = ['32MB', '128MB', '512MB']
const DEFAULT = { pool: 10, buffers: '128MB' }
const CONNECTIONS = 50
const ROUNDS = 3

/** A value of a setting, and the rate of requests with it, as a multiple of the default's. */
export interface Comparison {
  value: string
  ratio: number
}

/** Compares sizes of the pool, one server after the other: together they would need more connections than there are. */
export async function comparePoolSizes(connection: Connection, filled: Filled, seconds: number): Promise<Comparison[]> {
  const rates: [number, number][] = []
  for (const size of POOL_SIZES) {
    const server = await startCaseward(connection, [], { DATABASE_POOL_SIZE: String(size) })
    rates.push([size, await measureBest(() => measureMixRate(server, filled, CONNECTIONS, seconds))])
    await server.close()
  }
  const reference = rates.find(([size]) => size === DEFAULT.pool)?.[1] ?? Number.NaN
  return rates.map(([size, rate]) => ({ value: String(size), ratio: rate / reference }))
}

/** Compares sizes of `shared_buffers`. Each restarts the database, which is closed at the end. */
export async function compareSharedBuffers(
  database: { dataDir: string; clusterDirectory: string },
  filled: Filled,
  seconds: number,
): Promise<Comparison[]> {
  const rates: [string, number][] = []
  for (const value of SHARED_BUFFERS) {
    await appendFile(join(database.clusterDirectory, 'postgresql.conf'), `\nshared_buffers = ${value}\n`)
    const log = { info() {}, warn: console.warn, error: console.error, debug() {} }
    const postgres = await startEmbeddedDatabase({ dataDir: database.dataDir, dataDirIsDefault: false, log })
    const server = await startCaseward(postgres.connection)
    rates.push([value, await measureBest(() => measureMixRate(server, filled, CONNECTIONS, seconds))])
    await server.close()
    await postgres.close()
  }
  const reference = rates.find(([value]) => value === DEFAULT.buffers)?.[1] ?? Number.NaN
  return rates.map(([value, rate]) => ({ value, ratio: rate / reference }))
}

/** The best of some rounds: other work on the machine only makes a round slower. */
async function measureBest(measure: () => Promise<number>): Promise<number> {
  const rates: number[] = []
  while (rates.length < ROUNDS) rates.push(await measure())
  return Math.max(...rates)
}
