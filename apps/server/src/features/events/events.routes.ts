import * as contract from '@caseward/contract/events'

import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { createEventHub } from './event-hub.ts'

interface EventSettings {
  maxEventStreams: number
}

/**
 * The event streams of projects and runs.
 * @param stopSignal aborted when the service is told to stop: streams end at once, and not only when it is closed
 */
export function eventsRoutes(
  app: App,
  { db, announcer }: Deps,
  { maxEventStreams }: EventSettings,
  stopSignal: AbortSignal,
): void {
  const hub = createEventHub({ db, log: app.log, maxStreams: maxEventStreams })
  stopSignal.addEventListener('abort', () => hub.endAll())
  app.addHook('preClose', async () => hub.endAll())
  app.addHook('onReady', () => announcer.start())
  app.addHook('onClose', async () => {
    await announcer.close()
    await hub.close()
  })
  app.route({ ...contract.streamProjectEvents, handler: (request, reply) => hub.open(request, reply) })
  app.route({ ...contract.streamRunEvents, handler: (request, reply) => hub.open(request, reply) })
}
