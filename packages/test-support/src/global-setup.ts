import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { TestProject } from 'vitest/node'

import type { TemplateDatabase } from './template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file gets the connection to the template database; see `database.ts`. */
    templateDatabaseUrl: string
  }
}

/**
 * Shares one PostgreSQL between all test files. It starts when the first file asks for it, so that a unit test does not
 * wait for a database that it does not use.
 * @public called by Vitest (`globalSetup`)
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<TemplateDatabase> | undefined
  const start = async () => (await import('./template-database.ts')).createTemplateDatabase()
  const server = createServer((_request, response) => {
    started ??= start()
    started.then(
      ({ connection, cluster }) => response.end(JSON.stringify({ connection, cluster })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('templateDatabaseUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    await (await started)?.close()
  }
}
