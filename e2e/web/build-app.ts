import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { servePrepared } from '@caseward/test-support/serve-prepared'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers when the app is built; see `built-app.ts`. */
    builtAppUrl: string
  }
}

const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

/**
 * Builds the app once before the tests of its pages, which are about its sources, unless its build is of these sources: a build of
 * yesterday must not make them pass.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<unknown>> {
  const prepared = await servePrepared(async () => {
    // Vitest sets NODE_ENV to `test`, with which React would be twice as large.
    const { NODE_ENV: _, ...env } = process.env
    return await promisify(execFile)(process.execPath, [script], { env, maxBuffer: 10_000_000 })
  })
  project.provide('builtAppUrl', prepared.url)
  return prepared.close
}
