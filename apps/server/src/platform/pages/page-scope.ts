import fastifyFormbody from '@fastify/formbody'
import type { FastifyError, FastifyRequest } from 'fastify'

import type { App } from '../http/app.ts'
import { toProblem } from '../http/errors.ts'
import type { Problem } from '../http/problems.ts'
import { html } from './html.ts'
import { type PageContent, sendPage, stylesheet } from './layout.ts'
import { servePageAsset } from './page-asset.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by a form that no browser sends: it uses no cookie, so that it needs no `Origin`. */
    isForPrograms?: boolean
  }
}

/** Far more than any form contains. */
const FORM_BYTES = 16 * 1024

/** Where the page of an error leads. */
export interface ErrorLink {
  href: string
  label: string
}

export interface PageScopeOptions {
  /** @throws {Problem} when another site sent the request */
  checkOrigin: (request: FastifyRequest) => void
  /** The link on error pages by the problem's code; null for none. */
  errorLinks: Record<string, ErrorLink | null>
  defaultErrorLink: ErrorLink
  /** Registers the pages of the features. */
  registerPages: (pages: App) => Promise<void>
}

/** Registers the scope of the pages, which are rendered on the server and work without scripts. Only it accepts forms. */
export async function registerPageScope(app: App, options: PageScopeOptions): Promise<void> {
  await app.register(async (pages: App) => {
    await pages.register(fastifyFormbody, { bodyLimit: FORM_BYTES })
    // Another site can make a browser send any form, also when nobody is signed in.
    pages.addHook('onRequest', async (request) => {
      if (request.method === 'POST' && request.routeOptions.config.isForPrograms !== true) options.checkOrigin(request)
    })
    pages.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
      const problem = toProblem(error, request)
      void reply.headers(problem.headers)
      const { [problem.code]: link = options.defaultErrorLink } = options.errorLinks
      return sendPage(reply, buildErrorPage(problem, link, request.id))
    })

    servePageAsset(pages, stylesheet)
    await options.registerPages(pages)
  })
}

const titles: Record<number, string> = {
  401: 'Signed out',
  403: 'Not allowed',
  404: 'Not found',
  410: 'This link is no longer valid',
  429: 'Too many attempts',
  503: 'Try again in a moment',
}

function buildErrorPage(
  { statusCode: status, message }: Problem,
  link: ErrorLink | null,
  requestId: string,
): PageContent {
  // The API's message speaks of ids.
  const text = status === 404 ? 'Page not found. If you followed a link, check that it is complete.' : message
  const body = html`<p>${text}</p>
    ${status >= 500 ? html`<p class="hint">Request id: ${requestId}</p>` : null}
    ${link === null ? null : html`<p><a class="button" href="${link.href}">${link.label}</a></p>`}`
  return { title: titles[status] ?? 'Something went wrong', body, user: null, status }
}
