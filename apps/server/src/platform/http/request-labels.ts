import type { FastifyReply, FastifyRequest } from 'fastify'

/** What requests that came to the same have in common. */
export interface RequestLabels {
  method: string
  /** The route's pattern, never an address with secrets in it; null where no route fits. */
  route: string | null
  status: number
}

/**
 * Makes something once for each outcome that requests have, and finds it again: there are a few hundred of them, and a
 * line of the log or a measurement takes longer to label than to write.
 */
export function memoizeByLabels<T>(
  make: (outcome: RequestLabels) => T,
): (request: Pick<FastifyRequest, 'method' | 'routeOptions'>, reply: Pick<FastifyReply, 'statusCode'>) => T {
  const known = new Map<string, T>()
  return ({ method, routeOptions: { url: route = null } }, { statusCode: status }) => {
    const key = `${status} ${method} ${route}`
    let made = known.get(key)
    if (made === undefined) known.set(key, (made = make({ method, route, status })))
    return made
  }
}
