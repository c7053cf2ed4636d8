import { readFile } from 'node:fs/promises'

import type pg from 'pg'

import type { Server } from '../servers.ts'
import type { Filled } from './fill-database.ts'
import { measureMixRate } from './simulate-users.ts'

const CONNECTIONS = 8
/** Linux counts the processor time of processes in hundredths of a second. */
const TICK_MS = 10

/** Processor time of one request, which hardly depends on what else the machine does. */
export interface ProcessorTime {
  serviceMs: number
  databaseMs: number
}

/** Sends requests of the mix, and divides the processor time of the service and of its connections by their number. */
export async function measureProcessorTime(
  server: Server,
  client: pg.Client,
  filled: Filled,
  seconds: number,
): Promise<ProcessorTime> {
  // Opens the connections and compiles the code.
  await measureMixRate(server, filled, CONNECTIONS, seconds)
  const [{ cpuMs: serviceBefore }, databaseBefore] = [await server.getStats(), await readDatabaseMs(client)]
  const requests = seconds * (await measureMixRate(server, filled, CONNECTIONS, seconds))
  const [{ cpuMs: serviceAfter }, databaseAfter] = [await server.getStats(), await readDatabaseMs(client)]
  return {
    serviceMs: (serviceAfter - serviceBefore) / requests,
    databaseMs: (databaseAfter - databaseBefore) / requests,
  }
}

/** Returns the processor time of all processes of the database that `pg_stat_activity` has: connections and writers. */
async function readDatabaseMs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  const ticks = await Promise.all(
    rows.map(async ({ pid }) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      // The name of the program, in parentheses, can contain spaces. The 14th and 15th fields follow.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
    }),
  )
  return ticks.reduce((sum, count) => sum + count, 0) * TICK_MS
}
