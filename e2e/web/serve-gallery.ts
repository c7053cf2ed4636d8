import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import { build, type InlineConfig, preview } from 'vite'

const root = fileURLToPath(new URL('../../apps/web', import.meta.url))

/** As the service sends it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'"

/** Builds the app with the page of all components, and serves it without the service: it needs no data. */
export async function serveGallery(): Promise<{ url: string; close(): Promise<void> }> {
  const outDir = await createUnmanagedDirectory()
  const options = { root, mode: 'development', logLevel: 'error', build: { outDir, emptyOutDir: true } } as const
  await buildForProduction(options)
  const headers = { 'content-security-policy': policy }
  const server = await preview({ ...options, preview: { host: '127.0.0.1', port: 0, headers } })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('The gallery is not served.')
  return {
    url: `${url}ui`,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}

/** Vitest sets NODE_ENV to `test`, with which React would be twice as large. */
async function buildForProduction(options: InlineConfig): Promise<void> {
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    await build(options)
  } finally {
    process.env['NODE_ENV'] = NODE_ENV
  }
}
