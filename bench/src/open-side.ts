import pg from 'pg'

import type { Connection } from '@caseward/embedded-postgres'

import { type Server, startCaseward } from './servers.ts'

/** A database with a service of its own, for what is compared with another one on the same PostgreSQL. */
export interface Side {
  client: pg.Client
  server: Server
  close(): Promise<void>
}

/** Creates the database, and starts its service. */
export async function openSide(connection: Connection, database: string): Promise<Side> {
  const maintenance = new pg.Client(connection)
  await maintenance.connect()
  await maintenance.query(`create database ${database}`)
  await maintenance.end()
  const server = await startCaseward({ ...connection, database })
  const client = new pg.Client({ ...connection, database })
  await client.connect()
  return {
    client,
    server,
    async close() {
      await client.end()
      await server.close()
    },
  }
}
