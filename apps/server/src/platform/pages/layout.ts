import { readFileSync } from 'node:fs'

import type { FastifyReply } from 'fastify'

import type { Problem } from '../http/problems.ts'
import { type Html, html, renderHtml } from './html.ts'
import { createPageAsset } from './page-asset.ts'

/** The app and the pages look alike. */
const tokens = readFileSync(new URL('../../../../web/src/ui/tokens.css', import.meta.url), 'utf8')
const pageStyles = readFileSync(new URL('../../../assets/pages.css', import.meta.url), 'utf8')
/** The stylesheet of all pages. */
export const stylesheet = createPageAsset('pages', 'css', tokens + pageStyles)

const POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** Only for a page with a script, which calls the API. */
const SCRIPT_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`

/** Forbids scripts, external resources, framing, and forms that are sent to other sites. */
const headers = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  // URLs of pages contain secrets. With `no-referrer`, browsers would send forms with `Origin: null`.
  'referrer-policy': 'same-origin',
}

export interface PageContent {
  title: string
  body: Html
  /** The signed-in user. */
  user: { name: string } | null
  /** The problem of the submitted form; the response has its status. */
  problem?: Problem | null
  status?: number
  /** The paths of the page's scripts. A page works without them. */
  scriptPaths?: readonly string[]
}

export function sendPage(reply: FastifyReply, content: PageContent) {
  const status = content.problem?.statusCode ?? content.status ?? 200
  const { scriptPaths = [] } = content
  void reply.code(status).headers(headers)
  if (scriptPaths.length > 0) void reply.header('content-security-policy', SCRIPT_POLICY)
  void reply.type('text/html; charset=utf-8')
  return reply.send(renderHtml(layout(content)))
}

/** The logo: a case with a check mark. */
const logo = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
  <rect x="2" y="2" width="20" height="20" rx="6" fill="currentColor" />
  <path
    class="tick"
    d="m7.5 12.4 3 3 6-6.4"
    fill="none"
    stroke-width="2.2"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`

// A screen reader reads the title first, so that it must announce an error.
const layout = ({ title, body, user, problem = null, scriptPaths = [] }: PageContent): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${problem === null ? '' : 'Error: '}${title} · Caseward</title>
        <link rel="stylesheet" href="${stylesheet.path}" />
        ${scriptPaths.map((path) => html`<script type="module" src="${path}"></script>`)}
      </head>
      <body>
        <header>
          <p class="brand">${logo}Caseward</p>
          ${user === null ? null : html`<form action="/sign-out"><button class="quiet">Sign out</button></form>`}
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
