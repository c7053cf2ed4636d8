import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

import type { App } from './request.ts'

type Label = 'method' | 'route' | 'status'

/** `/metrics` for Prometheus: Node's own figures, and the time of every request by route, method and status. */
export function metricsRoutes(app: App): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'casebook_http_request_duration_seconds',
    help: 'Time to answer a request, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  // Looking a label set up by its labels takes as long as all the rest of a measurement.
  const known = new Map<string, Histogram.Internal<Label>>()
  app.addHook('onResponse', ({ method, routeOptions: { url: route = 'none' } }, { statusCode, elapsedTime }, done) => {
    const key = `${statusCode} ${method} ${route}`
    let ofRoute = known.get(key)
    if (ofRoute === undefined) known.set(key, (ofRoute = duration.labels({ method, route, status: statusCode })))
    ofRoute.observe(elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
