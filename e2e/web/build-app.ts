import { fileURLToPath } from 'node:url'

import { build } from 'vite'

const root = fileURLToPath(new URL('../../apps/web', import.meta.url))

/** Builds the app once before the tests, which are about its sources: a build of yesterday must not make them pass. */
export default async function buildApp(): Promise<void> {
  await build({ root, logLevel: 'warn' })
}
