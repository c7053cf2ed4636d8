import * as contract from '@caseward/contract/case-versions'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { requireCaseNumber } from '../test-cases/require-case-number.ts'
import { parseIfMatch } from '../test-cases/test-case-version.ts'
import { getCaseAuthor } from './case-author.ts'
import { listVersions, presentVersion, requireStoredVersion } from './read-version.ts'
import { restoreVersion } from './restore-version.ts'

export function caseVersionsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listCaseVersions,
    handler: async (request) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      return await listVersions(db, project, number, request.query.after ?? null)
    },
  })

  app.route({
    ...contract.getCaseVersion,
    handler: async (request) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      const stored = await requireStoredVersion(db, project.id, number, request.params.version)
      return { data: await presentVersion(db, project, number, stored) }
    },
  })

  app.route({
    ...contract.restoreCaseVersion,
    handler: async (request) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      const { summary } = request.body
      const author = {
        ...getCaseAuthor(request, 'restore'),
        summary: summary === undefined || summary === '' ? null : summary,
      }
      const ifMatch = parseIfMatch(request.headers['if-match'])
      return { data: await restoreVersion(db, project, number, request.params.version, { author, ifMatch }) }
    },
  })
}
