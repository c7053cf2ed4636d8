import type { FastifyReply, FastifyRequest } from 'fastify'

import type { MatchedRoute } from './matched-route.ts'

/** The labels of a request in logs and metrics. */
export interface RequestLabels {
  method: string
  /** The pattern of the route; null when no route matches. */
  route: string | null
  status: number
}

/**
 * Calls `create` once for each combination of labels and caches the result. There are a few hundred combinations, and
 * attaching labels takes longer than writing a log line or a measurement.
 */
export function memoizeByLabels<T>(
  create: (labels: RequestLabels) => T,
): (request: Pick<FastifyRequest, 'matchedRoute'>, reply: Pick<FastifyReply, 'statusCode'>) => T {
  const cache = new Map<MatchedRoute, Map<number, T>>()
  return ({ matchedRoute }, { statusCode: status }) => {
    let byStatus = cache.get(matchedRoute)
    if (byStatus === undefined) cache.set(matchedRoute, (byStatus = new Map()))
    let value = byStatus.get(status)
    if (value === undefined) {
      const { method, url: route } = matchedRoute
      byStatus.set(status, (value = create({ method, route, status })))
    }
    return value
  }
}
