import { rm } from 'node:fs/promises'

import type { TestProject } from 'vitest/node'

import { servePrepared } from './serve-prepared.ts'
import { createUnmanagedDirectory } from './unmanaged-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file gets the connection to the template database; see `database.ts`. */
    templateDatabaseUrl: string
    /** For what servers that several test files share store. */
    sharedDirectory: string
  }
}

/**
 * Shares one PostgreSQL between all test files.
 * @public called by Vitest (`globalSetup`)
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const prepared = await servePrepared(async () => (await import('./template-database.ts')).createTemplateDatabase())
  project.provide('templateDatabaseUrl', prepared.url)
  const directory = await createUnmanagedDirectory()
  project.provide('sharedDirectory', directory)
  return async () => {
    const database = await prepared.close()
    await database?.close()
    await rm(directory, { recursive: true, force: true })
  }
}
