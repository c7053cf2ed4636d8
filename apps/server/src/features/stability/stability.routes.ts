import * as contract from '@caseward/contract/stability'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { selectTest } from '../tests/tests.queries.ts'
import { readStability } from './read-stability.ts'

export function stabilityRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.getTestStability,
    handler: async (request) => {
      const project = requireProject(request)
      const { test_id: id } = request.params
      if ((await selectTest(db, project, id)) === null) throw notFoundProblem('test')
      return { data: await readStability(db, project.id, id, new Date()) }
    },
  })
}
