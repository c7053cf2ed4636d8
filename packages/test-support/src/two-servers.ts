import { connect, type Database } from '@caseward/server/platform/database/connect'
import { onTestFinished } from 'vitest'

import { type CasewardProcess, getDatabaseUrl, startCaseward } from './caseward-process.ts'
import { createServiceDatabase } from './database.ts'

/** Two server processes that share a database. */
export interface TwoServers {
  first: CasewardProcess
  second: CasewardProcess
  db: Database
  /** Starts a further server, which ends with the others. */
  startAnother(): Promise<CasewardProcess>
}

interface TwoServersOptions {
  /** Environment variables of one server, in addition to the shared ones. */
  firstSettings?: Record<string, string>
  secondSettings?: Record<string, string>
  /** Receives the function that ends both servers; by default it is called when the current test ends. */
  onCleanup?: (end: () => Promise<void>) => void
}

/** Starts two servers at the same time on one new database, which has no tables unless it is on Citus. */
export async function startTwoServers({
  firstSettings = {},
  secondSettings = {},
  onCleanup = onTestFinished,
}: TwoServersOptions = {}): Promise<TwoServers> {
  const { connection, drop } = await createServiceDatabase()
  const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
  const kills: (() => void)[] = []
  const started: Promise<CasewardProcess>[] = []
  onCleanup(async () => {
    for (const kill of kills) kill()
    for (const caseward of started) await (await caseward).ended
    await close()
    await drop()
  })
  const start = (ownSettings: Record<string, string>) => {
    const settings = {
      DATABASE_URL: getDatabaseUrl(connection),
      DATABASE_POOL_SIZE: '5',
      RATE_LIMIT: '1000000',
      RATE_LIMIT_OTHER: '1000000',
      RATE_LIMIT_SIGN_IN: '1000000',
      RATE_LIMIT_INVALID_TOKENS: '1000000',
      ...ownSettings,
    }
    const caseward = startCaseward(settings, { onCleanup: (kill) => kills.push(kill) })
    started.push(caseward)
    return caseward
  }
  const [first, second] = await Promise.all([start(firstSettings), start(secondSettings)])
  return { first, second, db, startAnother: () => start({}) }
}

/** Sends a POST request as the first user and returns the body of the response; fails if the request fails. */
export async function postAsAdmin<T = { data: { id: string } }>(
  server: CasewardProcess,
  path: string,
  body: object,
): Promise<T> {
  const response = await server.request('POST', path, body)
  if (response.status >= 300) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body as T
}
