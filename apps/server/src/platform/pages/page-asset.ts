import { createHash } from 'node:crypto'

import type { App } from '../http/app.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

const CONTENT_TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

/** A file of the pages. Its path changes with its content, so that browsers may cache it permanently. */
export interface PageAsset {
  path: string
  contentType: string
  content: string
}

export function createPageAsset(name: string, extension: keyof typeof CONTENT_TYPES, content: string): PageAsset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { path: `/assets/${name}-${digest}.${extension}`, contentType: CONTENT_TYPES[extension], content }
}

/** Registers the route of an asset. */
export function servePageAsset(pages: App, { path, contentType, content }: PageAsset): void {
  pages.get(path, { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`).type(contentType).send(content),
  )
}
