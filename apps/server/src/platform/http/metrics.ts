import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import { findNewestBackupTime } from '../backup/list-backups.ts'
import { memoizeByLabels } from './request-labels.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What `/metrics` returns. Features add what they measure. */
    metricsRegistry: Registry
  }
}

/**
 * `/metrics` for Prometheus: Node's metrics, the duration of requests by route, method and status, and the time of the newest
 * scheduled backup.
 */
export function metricsRoutes(app: App, { backupDir }: { backupDir: string | null }): void {
  const registry = new Registry()
  app.decorate('metricsRegistry', registry)
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'caseward_http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  if (backupDir !== null) registerBackupMetric(registry, backupDir)
  const getDurationMetric = memoizeByLabels(({ method, route, status }) =>
    duration.labels({ method, route: route ?? 'none', status }),
  )
  app.addHook('onResponse', (request, reply, done) => {
    // A stream is open as long as its page is.
    const isStream = request.matchedRoute.config.isEventStream === true && reply.statusCode < 400
    if (!isStream) getDurationMetric(request, reply).observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function registerBackupMetric(registry: Registry, backupDir: string): void {
  const newest = new Gauge({
    name: 'caseward_newest_backup_timestamp_seconds',
    help: 'When the newest backup in BACKUP_DIR was begun, in seconds since 1970; 0 without one',
    registers: [registry],
    async collect() {
      newest.set(((await findNewestBackupTime(backupDir))?.getTime() ?? 0) / 1000)
    },
  })
}
