import { inject, onTestFinished } from 'vitest'

import { connect, type Database } from '@caseward/server/platform/database/connect'
import { getDatabaseUrl, type Caseward, startCaseward } from './caseward-process.ts'
import { createEmptyDatabase } from './database.ts'

/** Two servers, each a process of its own, that share a database. */
export interface TwoServers {
  one: Caseward
  other: Caseward
  db: Database
}

interface Options {
  /** Settings of each, beside the database. */
  ofOne?: Record<string, string>
  ofOther?: Record<string, string>
  /** Takes what ends them; a file that starts them for all its tests gives another than theirs. */
  atEnd?: (end: () => Promise<void>) => void
}

/** Starts both at the same instant on a database that is new and empty. */
export async function startTwoServers({
  ofOne = {},
  ofOther = {},
  atEnd = onTestFinished,
}: Options = {}): Promise<TwoServers> {
  const { connection, drop } = await createEmptyDatabase(inject('postgres'))
  const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
  const kills: (() => void)[] = []
  const started: Promise<Caseward>[] = []
  atEnd(async () => {
    for (const kill of kills) kill()
    for (const caseward of started) await (await caseward).ended
    await close()
    await drop()
  })
  const start = (own: Record<string, string>) => {
    const settings = {
      DATABASE_URL: getDatabaseUrl(connection),
      DATABASE_POOL_SIZE: '5',
      RATE_LIMIT: '1000000',
      RATE_LIMIT_OTHER: '1000000',
      RATE_LIMIT_SIGN_IN: '1000000',
      ...own,
    }
    const caseward = startCaseward(settings, (kill) => kills.push(kill))
    started.push(caseward)
    return caseward
  }
  const [one, other] = await Promise.all([start(ofOne), start(ofOther)])
  return { one, other, db }
}

/** What a server answers to a request that must succeed, made as the first user. */
export async function make<T = { data: { id: string } }>(server: Caseward, path: string, body: object): Promise<T> {
  const answer = await server.request('POST', path, body)
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body as T
}
