import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('../../../apps/server/scripts/bundle.mjs', import.meta.url))

/**
 * Joins the sources of the service to what its processes run, unless that is newer: a stale build must not make a test pass.
 * @public called by Vitest (`globalSetup`)
 */
export default async function buildServer(): Promise<void> {
  await promisify(execFile)(process.execPath, [script])
}
