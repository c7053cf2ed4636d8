import * as contract from '@caseward/contract/case-aliases'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { hasTestCase } from '../test-cases/has-test-case.queries.ts'
import { requireCaseNumber } from '../test-cases/require-case-number.ts'
import { selectAliases } from './case-aliases.queries.ts'
import { replaceAliases } from './change-aliases.ts'
import { findTestCasesByAlias } from './find-by-alias.ts'

export function caseAliasesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listCaseAliases,
    handler: async (request) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      if (!(await hasTestCase(db, project.id, number))) throw notFoundProblem('test case')
      return { data: await selectAliases(db, project.id, number) }
    },
  })

  app.route({
    ...contract.replaceCaseAliases,
    handler: async (request) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      return { data: await replaceAliases(db, project, number, request.body.aliases) }
    },
  })

  app.route({
    ...contract.findCaseAliases,
    handler: async (request) => ({
      data: await findTestCasesByAlias(db, requireProject(request), request.query.key),
    }),
  })
}
