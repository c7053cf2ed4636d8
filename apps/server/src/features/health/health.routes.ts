import { getHealth } from '@caseward/contract/health'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { readHealth, readHealthBand } from './read-health.ts'

export function healthRoutes(app: App, { db }: Deps): void {
  app.route({
    ...getHealth,
    handler: async (request) => {
      const read = request.query.fields === 'band' ? readHealthBand : readHealth
      return { data: await read(db, requireProject(request).id, request.query, new Date()) }
    },
  })
}
