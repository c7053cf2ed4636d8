import { fileURLToPath } from 'node:url'

import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { findSession } from '../../access/find-session.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import { SETUP_PATH } from '../auth/second-factors/second-factor-path.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'

/** `npm run dev` builds into its own directory, so that neither tests nor `npm start` use that build. */
const build = process.env['NODE_ENV'] === 'development' ? 'development' : 'app'
/** The build of `apps/web`. Its assets have names with hashes; `index.html` is the page of every URL. */
const directory = fileURLToPath(new URL(`../../../../web/dist/${build}`, import.meta.url))

const schema = { hide: true }
const wildcardParams = Type.Object({ '*': Type.String() })

const appPaths = [
  '/',
  '/projects/*',
  '/runs/*',
  '/account',
  '/account/*',
  '/admin',
  '/admin/*',
  '/help',
  '/help/*',
  '/files/*',
  '/search',
  '/work',
]
/** `/WEB-12` opens a test case. */
const isTestCasePath = (url: string) => /^\/[A-Z]{2,5}-[1-9]\d*$/.test(url)

/**
 * The page of the app loads scripts, styles, data and images from this server only. An image of another server would tell its
 * author who opens a test case, and when: the operator names the servers that may be asked.
 */
const createPageHeaders = ({ imageSources, contentSources }: Pick<Deps, 'imageSources' | 'contentSources'>) => ({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; " +
    `img-src ${["'self'", 'data:', ...contentSources, ...imageSources].join(' ')}; ` +
    `media-src ${["'self'", ...contentSources].join(' ')}; connect-src 'self'; ` +
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // With Helmet's `same-origin`, the window of a trace viewer could not be handed its trace.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
})
/** Of files with compressed copies. */
const variants = { vary: 'accept-encoding' }

/** The web app: the page at all of its URLs, and its assets. Whoever is not signed in is sent to `/sign-in`. */
export async function webAppPages(pages: App, deps: Deps): Promise<void> {
  const pageHeaders = createPageHeaders(deps)
  const sendApp = (reply: FastifyReply) =>
    reply.headers(pageHeaders).headers(variants).sendFile('index.html', { cacheControl: false })
  await pages.register(fastifyStatic, { root: directory, serve: false, preCompressed: true, dotfiles: 'ignore' })

  pages.get('/assets/*', { schema: { ...schema, params: wildcardParams } }, (request, reply) =>
    reply.headers(variants).sendFile(request.params['*'], `${directory}/assets`, { maxAge: '1y', immutable: true }),
  )
  for (const path of appPaths) {
    pages.get(path, { schema }, async (request, reply) => {
      const session = await findSession(request, reply, deps)
      if (session === null) return redirectToSignIn(request, reply)
      return mustSetUpSecondFactor(session) ? redirectToSetup(reply) : sendApp(reply)
    })
  }
  // Browsers get a page for an unknown address; other clients get the problem of the API.
  pages.get('/*', { schema: { ...schema, params: wildcardParams } }, async (request, reply) => {
    // Decoded, unlike the URL.
    const isApi = request.params['*'].startsWith('v1')
    const wantsPage = request.headers.accept?.includes('text/html') === true && !isApi
    if (!wantsPage) return reply.callNotFound()
    const isKnown = isTestCasePath(request.url)
    const session = await findSession(request, reply, deps)
    if (session !== null && mustSetUpSecondFactor(session)) return redirectToSetup(reply)
    if (session !== null) return sendApp(reply.code(isKnown ? 200 : 404))
    if (isKnown) return redirectToSignIn(request, reply)
    throw notFoundProblem('page')
  })
}

const mustSetUpSecondFactor = (session: UserPrincipal) => session.kind === 'session' && session.mustSetUpSecondFactor

const redirectToSetup = (reply: FastifyReply) => reply.header('cache-control', 'no-store').redirect(SETUP_PATH, 303)

const redirectToSignIn = (request: FastifyRequest, reply: FastifyReply) =>
  reply
    .header('cache-control', 'no-store')
    .redirect(request.url === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(request.url)}`, 303)
