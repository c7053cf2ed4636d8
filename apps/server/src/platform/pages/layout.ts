import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { FastifyReply } from 'fastify'

import type { Problem } from '../http/problems.ts'
import { type Html, html, renderHtml } from './html.ts'

/** The one stylesheet of all pages. Its address changes with its content, so that browsers may keep it for good. */
export const stylesheet = readFileSync(new URL('../../../assets/pages.css', import.meta.url), 'utf8')
export const stylesheetPath = `/assets/pages-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`

/** No script, nothing from elsewhere, in nobody's frame; forms go nowhere but here. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // Addresses of pages hold secrets. With `no-referrer` browsers would send forms with `Origin: null`.
  'referrer-policy': 'same-origin',
}

export interface PageContent {
  title: string
  body: Html
  /** Who is signed in; null for nobody. */
  user: { name: string } | null
  /** What is wrong with the form that was sent; the answer has its status. */
  problem?: Problem | null
  status?: number
  /** Whether it is a page to look around on, rather than one thing to do. */
  wide?: boolean
}

export function sendPage(reply: FastifyReply, content: PageContent) {
  const status = content.problem?.statusCode ?? content.status ?? 200
  void reply.code(status).headers(headers).type('text/html; charset=utf-8')
  return reply.send(renderHtml(layout(content)))
}

/** A case with a tick on it. */
const mark = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
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

// The title is what a screen reader says first of a page: that something is wrong belongs there.
const layout = ({ title, body, user, problem = null, wide = false }: PageContent): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${problem === null ? '' : 'Error: '}${title} · Caseward</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body${wide ? html` class="wide"` : null}>
        <header>
          <p class="brand">${mark}Caseward</p>
          ${user === null ? null : html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`}
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
