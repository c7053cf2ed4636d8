import { getHealth } from '@caseward/contract/health'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { readHealth } from './read-health.ts'

export function healthRoutes(app: App, { db }: Deps): void {
  app.route({
    ...getHealth,
    handler: async (request) => ({
      data: await readHealth(db, requireProject(request).id, request.query, new Date()),
    }),
  })
}
