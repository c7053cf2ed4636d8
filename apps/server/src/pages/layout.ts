import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { FastifyReply } from 'fastify'

import { type Html, html, renderHtml } from './html.ts'

/** The one stylesheet of all pages. Its address changes with its content, so that browsers may keep it for good. */
export const stylesheet = readFileSync(new URL('../../assets/pages.css', import.meta.url), 'utf8')
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
  status?: number
}

export function sendPage(reply: FastifyReply, { title, body, user, status = 200 }: PageContent) {
  void reply.code(status).headers(headers).type('text/html; charset=utf-8')
  return reply.send(renderHtml(layout(title, body, user)))
}

const layout = (title: string, body: Html, user: PageContent['user']): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Casebook</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body>
        <header>
          <p class="brand">Casebook</p>
          ${user === null ? null : html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`}
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
