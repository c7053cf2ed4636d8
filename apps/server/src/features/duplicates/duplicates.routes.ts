import * as contract from '@caseward/contract/duplicates'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { findSimilar } from './find-similar.ts'
import { listDuplicates } from './list-duplicates.ts'

export function duplicatesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.findSimilarTestCases,
    handler: (request) => findSimilar(db, requireProject(request), request.body),
  })

  app.route({
    ...contract.listDuplicates,
    handler: (request) => listDuplicates(db, requireProject(request), request.query.after ?? null),
  })
}
