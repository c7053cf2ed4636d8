import type { FastifyReply, FastifyRequest } from 'fastify'

/** The labels of a request in logs and metrics. */
export interface RequestLabels {
  method: string
  /** The pattern of the route, never a URL, which may contain a secret; null when no route matches. */
  route: string | null
  status: number
}

/**
 * Calls `create` once for each combination of labels and caches the result. There are a few hundred combinations, and
 * attaching labels takes longer than writing a log line or a measurement.
 */
export function memoizeByLabels<T>(
  create: (labels: RequestLabels) => T,
): (request: Pick<FastifyRequest, 'method' | 'routeOptions'>, reply: Pick<FastifyReply, 'statusCode'>) => T {
  const cache = new Map<string, T>()
  return ({ method, routeOptions: { url: route = null } }, { statusCode: status }) => {
    const key = `${status} ${method} ${route}`
    let value = cache.get(key)
    if (value === undefined) cache.set(key, (value = create({ method, route, status })))
    return value
  }
}
