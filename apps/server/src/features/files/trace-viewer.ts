import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import fastifyStatic from '@fastify/static'
import type { FastifyContextConfig } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { isProtectedUrl } from '../../platform/http/is-protected-url.ts'

/** The viewer of `playwright-core`, which is copied when the web app is built. */
const directory = fileURLToPath(new URL('../../../../web/dist/app/trace-viewer', import.meta.url))
const TRACE_VIEWER_PATH = '/trace/'

const params = Type.Object({ '*': Type.String() })

/**
 * Browsers run the viewer, which has a service worker, only where nobody can change it on its way. They look for names that end
 * in `.localhost` on their own machine.
 */
export function getTraceViewerUrl({ contentAddresses }: Pick<Deps, 'contentAddresses'>): string | null {
  if (contentAddresses === null) return null
  const url = new URL(TRACE_VIEWER_PATH, contentAddresses.origin)
  return isProtectedUrl(url) || url.hostname.endsWith('.localhost') ? url.href : null
}

/** Serves Playwright's viewer, which shows pages of others: it loads nothing but its own files and what it is handed. */
export function registerTraceViewer(app: App, config: FastifyContextConfig): void {
  void app.register(async (scope: App) => {
    await scope.register(fastifyStatic, { root: directory, serve: false, dotfiles: 'ignore' })
    const headers = {
      'content-security-policy': createPolicy(),
      // The window has to reach the page that opens it, to be handed a trace.
      'cross-origin-opener-policy': 'unsafe-none',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
    }
    scope.get(`${TRACE_VIEWER_PATH}*`, { config, schema: { hide: true, params } }, (request, reply) => {
      const path = request.params['*'] === '' ? 'index.html' : request.params['*']
      return reply.headers(headers).sendFile(path, { cacheControl: false })
    })
  })
}

/** The page of the viewer has one inline script, and its styles are set by scripts. Traces contain pictures and fonts. */
function createPolicy(): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashInlineScripts()].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self' data: blob:",
    "worker-src 'self'",
    "frame-src 'self' blob: data:",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

function hashInlineScripts(): string[] {
  const page = join(directory, 'index.html')
  // Without the build, there is no viewer: `npm run dev` builds only the app.
  if (!existsSync(page)) return []
  return [...readFileSync(page, 'utf8').matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}
