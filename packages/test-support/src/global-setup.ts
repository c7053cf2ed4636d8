import type { TestProject } from 'vitest/node'

import { servePrepared } from './serve-prepared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file gets the connection to the template database; see `database.ts`. */
    templateDatabaseUrl: string
  }
}

/**
 * Shares one PostgreSQL between all test files.
 * @public called by Vitest (`globalSetup`)
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const prepared = await servePrepared(async () => (await import('./template-database.ts')).createTemplateDatabase())
  project.provide('templateDatabaseUrl', prepared.url)
  return async () => {
    const database = await prepared.close()
    await database?.close()
  }
}
