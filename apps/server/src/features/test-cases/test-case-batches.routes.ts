import * as contract from '@caseward/contract/test-case-batches'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { bulkUpdateTestCases } from './bulk-update-test-cases.ts'
import { deleteTestCases } from './delete-test-cases.ts'
import { moveTestCases } from './move-test-cases.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'

export function testCaseBatchesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.bulkUpdateTestCases,
    handler: async (request) => ({
      data: await bulkUpdateTestCases(
        db,
        requireProject(request),
        { author: getCaseAuthor(request, 'bulk'), actor: getActor(request) },
        request.body,
      ),
    }),
  })

  app.route({
    ...contract.moveTestCases,
    handler: async (request) => ({
      data: await moveTestCases(db, requireProject(request), getCaseAuthor(request, 'bulk'), request.body),
    }),
  })

  app.route({
    ...contract.bulkDeleteTestCases,
    handler: async (request) => {
      const project = requireProject(request)
      const numbers = request.body.test_case_ids.map((id) => parseTestCaseNumber(id, project.prefix))
      const existing = [...new Set(numbers)].filter((number) => number !== null)
      return { data: { deleted: await deleteTestCases(db, getActor(request), project, existing) } }
    },
  })
}
