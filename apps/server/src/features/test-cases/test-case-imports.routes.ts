import * as contract from '@caseward/contract/test-case-imports'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { withLookupErrors } from '../../platform/http/lookup-errors.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { addSimilar } from './find-similar-to-rows.ts'
import { addImportErrors, importTestCases } from './import-test-cases.ts'

export function testCaseImportsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.importTestCases,
    ...withLookupErrors((request, errors) => addImportErrors(db, requireProject(request), request.body, errors)),
    handler: async (request) => {
      const project = requireProject(request)
      const isDryRun = request.query.dry_run === 'true'
      const options = { author: getCaseAuthor(request, 'import'), actor: getActor(request), isDryRun }
      const result = await importTestCases(db, project, request.body, options)
      // Without the lock on the project, which others wait for.
      const hasSimilar = isDryRun && request.query.similar === 'true'
      return { data: hasSimilar ? await addSimilar(db, project, request.body.rows, result) : result }
    },
  })
}
