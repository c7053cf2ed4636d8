import type { FastifyContextConfig, FastifyRequest } from 'fastify'

import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    matchedRoute: MatchedRoute
  }
}

/** What the hooks of every request need to know of its route. One object for each route and method. */
export interface MatchedRoute {
  readonly method: string
  /** The pattern of the route, never a URL, which may contain a secret; null when no route matches. */
  readonly url: string | null
  readonly config: FastifyContextConfig
}

/**
 * Finds the route of each request once: Fastify builds `routeOptions` anew each time that it is read. Must be registered
 * before the hooks that read `matchedRoute`.
 */
export function findMatchedRoutes(app: App): void {
  const routes = new WeakMap<object, Map<string, MatchedRoute>>()
  const find = ({ method, routeOptions: { url, config } }: FastifyRequest): MatchedRoute => {
    let byMethod = routes.get(config)
    if (byMethod === undefined) routes.set(config, (byMethod = new Map()))
    let route = byMethod.get(method)
    if (route === undefined) byMethod.set(method, (route = { method, url: url ?? null, config }))
    return route
  }
  app.decorateRequest('matchedRoute')
  app.addHook('onRequest', (request, _reply, done) => {
    request.matchedRoute = find(request)
    done()
  })
}
