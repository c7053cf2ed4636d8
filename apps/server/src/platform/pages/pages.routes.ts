import fastifyFormbody from '@fastify/formbody'
import type { FastifyError } from 'fastify'

import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { toProblem } from '../http/errors.ts'
import type { App } from '../http/app.ts'
import { notFound, type Problem } from '../http/problems.ts'
import { accountPages } from '../../features/auth/account/account.pages.ts'
import { html } from './html.ts'
import { joinPages } from '../../features/invitations/join.pages.ts'
import { sendPage, stylesheet, stylesheetPath } from './layout.ts'
import { resetPages } from '../../features/auth/password-reset/password-reset.pages.ts'
import { runPages } from '../../features/runs/run.pages.ts'
import { setupPages } from '../../features/auth/setup/setup.pages.ts'
import { signInPages } from '../../features/auth/session/sign-in.pages.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60
/** Far more than any form here needs. */
const FORM_BYTES = 16 * 1024

/** The pages for people, made on the server and without script. Forms are taken here alone, never by the API. */
export async function pagesRoutes(app: App, deps: Deps, config: Config): Promise<void> {
  await app.register(async (pages: App) => {
    await pages.register(fastifyFormbody, { bodyLimit: FORM_BYTES })
    // Another site can make a browser send any form; its Origin tells. It counts also before anybody is signed in.
    pages.addHook('onRequest', async (request) => {
      if (request.method === 'POST') deps.checkOrigin(request)
    })
    pages.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
      const problem = toProblem(error, request)
      void reply.headers(problem.headers)
      return sendPage(reply, errorPage(problem, request.id))
    })

    pages.get(stylesheetPath, { schema: { hide: true } }, (_request, reply) =>
      reply
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
        .type('text/css; charset=utf-8')
        .send(stylesheet),
    )
    signInPages(pages, deps, config)
    if (config.oidcIssuer !== null) await addSingleSignOn(pages, deps, config)
    setupPages(pages, deps)
    resetPages(pages, deps)
    joinPages(pages, deps)
    accountPages(pages, deps)
    runPages(pages, deps)
    // Whoever goes astray in a browser is told so on a page. Programs get the API's problem.
    pages.get('/*', { schema: { hide: true } }, (request, reply) => {
      const wantsPage = request.headers.accept?.includes('text/html') === true && !request.url.startsWith('/v1')
      if (wantsPage) throw notFound('page')
      return reply.callNotFound()
    })
  })
}

/** Loaded only where it is used: its library takes memory. */
async function addSingleSignOn(pages: App, deps: Deps, config: Config): Promise<void> {
  const { createProvider } = await import('../../features/auth/single-sign-on/provider.ts')
  const { singleSignOnPages } = await import('../../features/auth/single-sign-on/single-sign-on.pages.ts')
  const provider = createProvider(config)
  if (provider !== null) singleSignOnPages(pages, deps, provider)
}

const titles: Record<number, string> = {
  401: 'Signed out',
  403: 'Not allowed',
  404: 'Not found',
  410: 'This link is no longer valid',
  429: 'Too many attempts',
}

/** Where an ended link's page leads, by the problem's code; null for nowhere. */
const linkEndedActions: Record<string, readonly [href: string, label: string] | null> = {
  reset_link_ended: ['/reset', 'Request a new link'],
  setup_done: ['/sign-in', 'Sign in'],
  setup_link_ended: null,
}
const GO_TO_ACCOUNT = ['/account', 'Go to your account'] as const

function errorPage({ statusCode: status, message, code }: Problem, requestId: string) {
  // The API's words speak of ids.
  const text = status === 404 ? 'Page not found. If you followed a link, check that it is complete.' : message
  const { [code]: way = GO_TO_ACCOUNT } = linkEndedActions
  const body = html`<p>${text}</p>
    ${status >= 500 ? html`<p class="hint">Request id: ${requestId}</p>` : null}
    ${way === null ? null : html`<p><a class="button" href="${way[0]}">${way[1]}</a></p>`}`
  return { title: titles[status] ?? 'Something went wrong', body, user: null, status }
}
