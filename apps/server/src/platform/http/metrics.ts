import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

import { memoizeByLabels } from './request-labels.ts'
import type { App } from './app.ts'

/** `/metrics` for Prometheus: Node's metrics, and the duration of requests by route, method and status. */
export function metricsRoutes(app: App): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'caseward_http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const getDurationMetric = memoizeByLabels(({ method, route, status }) =>
    duration.labels({ method, route: route ?? 'none', status }),
  )
  app.addHook('onResponse', (request, reply, done) => {
    // A stream is open as long as its page is.
    const isStream = request.routeOptions.config.isEventStream === true && reply.statusCode < 400
    if (!isStream) getDurationMetric(request, reply).observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
