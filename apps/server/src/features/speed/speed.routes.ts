import { listSlowTests } from '@caseward/contract/speed'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { createSpeedCache, readSpeed } from './read-speed.ts'

export function speedRoutes(app: App, { db }: Deps): void {
  const cache = createSpeedCache()
  app.route({
    ...listSlowTests,
    handler: async (request) => await readSpeed(db, cache, requireProject(request).id, request.query),
  })
}
