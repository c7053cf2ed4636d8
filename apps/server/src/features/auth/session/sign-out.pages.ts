import { readFileSync } from 'node:fs'

import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { createPageAsset } from '../../../platform/pages/page-asset.ts'
import { endSession } from './browser-session.ts'
import { getSafeRedirectPath } from './safe-redirect-path.ts'
import { findSignedInUser } from './signed-in-user.ts'

const querystring = Type.Object({ next: Type.Optional(Type.String()) })

/** The script that removes what the web app has stored in the browser. */
export const signOutScript = createPageAsset(
  'sign-out',
  'js',
  readFileSync(new URL('../../../../assets/sign-out.js', import.meta.url), 'utf8'),
)

/**
 * `/sign-out`, through which everything signs out: its page removes what the browser has of projects, at once, or after a
 * question when some of it was never sent. Without scripts, it only signs out.
 */
export function signOutPages(pages: App, deps: Deps): void {
  pages.get('/sign-out', { schema: { hide: true, querystring } }, async (request, reply) => {
    const user = await findSignedInUser(deps, request, reply)
    const { next } = request.query
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
    const body = html`<div id="unsent" hidden>
        <p id="unsent-text" class="alert"></p>
        <p>
          Remove this on a computer that others use. If you keep it, it is sent or shown again when you sign in here the
          next time.
        </p>
      </div>
      <form id="sign-out" method="post" action="/sign-out${query}" data-user="${user?.id ?? ''}">
        <button data-removes>Sign out</button>
        <button id="keep" class="button" hidden>Keep and sign out</button>
      </form>
      <p class="aside"><a href="/">Back to Caseward</a></p>`
    return sendPage(reply, { title: 'Sign out', body, user: null, scriptPaths: [signOutScript.path] })
  })

  pages.post('/sign-out', { schema: { hide: true, querystring } }, async (request, reply) => {
    const secret = deps.cookies.read(request, 'session')
    if (secret !== null) await endSession(deps, secret, reply)
    const { next } = request.query
    return reply.redirect(next === undefined ? '/sign-in' : getSafeRedirectPath(next), 303)
  })
}
