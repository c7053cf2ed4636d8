import { fileURLToPath } from 'node:url'

import { build, type InlineConfig } from 'vite'

export const webRoot = fileURLToPath(new URL('../../apps/web', import.meta.url))

/** Builds the app as `npm run build` does. Vitest sets NODE_ENV to `test`, with which React would be twice as large. */
export async function buildWeb(options: InlineConfig = {}): Promise<void> {
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    await build({ root: webRoot, logLevel: 'error', ...options })
  } finally {
    process.env['NODE_ENV'] = NODE_ENV
  }
}
