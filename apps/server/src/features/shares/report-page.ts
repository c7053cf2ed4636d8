import { readFileSync } from 'node:fs'

import type { FastifyReply } from 'fastify'

import { type Html, html, renderHtml } from '../../platform/pages/html.ts'
import { createPageAsset } from '../../platform/pages/page-asset.ts'

const readSource = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
/** Reports have the colors of the app. */
export const reportStylesheet = createPageAsset(
  'report',
  'css',
  readSource('../../../../web/src/ui/tokens.css') + readSource('../../../assets/report.css'),
)

/**
 * No script, nothing of other servers, no trace of the address elsewhere, and no copy in a cache or search engine.
 * @param contentSources other origins that send contents of files
 */
export function createSharedHeaders(contentSources: readonly string[]) {
  const files = ["'self'", ...contentSources].join(' ')
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src ${files}; media-src ${files}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  } as const
}

export interface ReportPageContent {
  title: string
  body: Html
}

export function sendReportPage(reply: FastifyReply, { title, body }: ReportPageContent): FastifyReply {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        <link rel="stylesheet" href="${reportStylesheet.path}" />
      </head>
      <body>
        ${body}
      </body>
    </html> `
  return reply.type('text/html; charset=utf-8').send(renderHtml(page))
}
