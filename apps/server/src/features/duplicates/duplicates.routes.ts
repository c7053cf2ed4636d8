import * as contract from '@caseward/contract/duplicates'
import * as merges from '@caseward/contract/merges'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { requireCaseNumber } from '../test-cases/require-case-number.ts'
import { findSimilar } from './find-similar.ts'
import { listDuplicates } from './list-duplicates.ts'
import { mergeTestCases } from './merge-test-cases.ts'
import { undoMerge } from './undo-merge.ts'

export function duplicatesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.findSimilarTestCases,
    handler: (request) => findSimilar(db, requireProject(request), request.body),
  })

  app.route({
    ...contract.listDuplicates,
    handler: (request) => listDuplicates(db, requireProject(request), request.query.after ?? null),
  })

  app.route({
    ...merges.mergeTestCases,
    handler: async (request) => {
      const project = requireProject(request)
      const target = requireCaseNumber(request.params.test_case_id, project)
      const by = { author: getCaseAuthor(request, 'merge'), actor: getActor(request) }
      return { data: await mergeTestCases(db, project, by, target, request.body.from_ids) }
    },
  })

  app.route({
    ...merges.undoMerge,
    handler: async (request) => {
      const project = requireProject(request)
      const target = requireCaseNumber(request.params.test_case_id, project)
      const by = { author: getCaseAuthor(request, 'merge'), actor: getActor(request) }
      return { data: await undoMerge(db, project, by, target, request.body.merge_id) }
    },
  })
}
