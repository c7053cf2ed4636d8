import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

/**
 * Builds the app once before the tests, which are about its sources, unless its build is of these sources: a build of yesterday
 * must not make them pass.
 */
export default async function buildApp(): Promise<void> {
  // Vitest sets NODE_ENV to `test`, with which React would be twice as large.
  const { NODE_ENV: _, ...env } = process.env
  await promisify(execFile)(process.execPath, [script], { env, maxBuffer: 10_000_000 })
}
