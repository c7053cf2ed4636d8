import { connect, type Database } from '@caseward/server/platform/database/connect'
import { onTestFinished } from 'vitest'

import { getDatabaseUrl, startCaseward } from './caseward-process.ts'
import { cloneDatabase, createServiceDatabase } from './database.ts'
import { type Service, startService } from './service.ts'

/** Two servers that share a database. */
export interface TwoServers {
  first: Service
  second: Service
  db: Database
  /** Starts a further server, which ends with the others. */
  startAnother(settings?: Record<string, string>): Promise<Service>
}

interface TwoServersOptions {
  /** Environment variables of one server, in addition to the shared ones. */
  firstSettings?: Record<string, string>
  secondSettings?: Record<string, string>
  /** Which servers are processes of their own. Without one, a server costs a tenth, but cannot be killed. */
  processes?: 'none' | 'first' | 'both'
  /** Whether the database has no tables yet, unless it is on Citus. */
  isEmpty?: boolean
  /** Receives the function that ends both servers; by default it is called when the current test ends. */
  onCleanup?: (end: () => Promise<void>) => void
}

/** Starts two servers at the same time on one new database. */
export async function startTwoServers({
  firstSettings = {},
  secondSettings = {},
  processes = 'none',
  isEmpty = false,
  onCleanup = onTestFinished,
}: TwoServersOptions = {}): Promise<TwoServers> {
  const { connection, drop } = await (isEmpty ? createServiceDatabase() : cloneDatabase())
  const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
  const stops: (() => unknown)[] = []
  const started: Promise<Service>[] = []
  onCleanup(async () => {
    await Promise.all(stops.map((stop) => stop()))
    for (const server of started) await (await server).ended
    await close()
    await drop()
  })
  const start = (ownSettings: Record<string, string>, isProcess: boolean) => {
    const settings = {
      DATABASE_URL: getDatabaseUrl(connection),
      DATABASE_POOL_SIZE: '5',
      RATE_LIMIT: '1000000',
      RATE_LIMIT_OTHER: '1000000',
      RATE_LIMIT_SIGN_IN: '1000000',
      RATE_LIMIT_INVALID_TOKENS: '1000000',
      ...ownSettings,
    }
    const options = { onCleanup: (stop: () => unknown) => void stops.push(stop) }
    const server = isProcess ? startCaseward(settings, options) : startService(settings, options)
    started.push(server)
    return server
  }
  const [first, second] = await Promise.all([
    start(firstSettings, processes !== 'none'),
    start(secondSettings, processes === 'both'),
  ])
  return { first, second, db, startAnother: (settings = {}) => start(settings, false) }
}

/** Sends a POST request as the first user and returns the body of the response; fails if the request fails. */
export async function postAsAdmin<T = { data: { id: string } }>(
  server: Pick<Service, 'request'>,
  path: string,
  body: object,
): Promise<T> {
  const response = await server.request('POST', path, body)
  if (response.status >= 300) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body as T
}
