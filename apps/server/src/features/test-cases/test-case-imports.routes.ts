import * as contract from '@caseward/contract/test-case-imports'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { withLookupErrors } from '../../platform/http/lookup-errors.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { addImportErrors, importTestCases } from './import-test-cases.ts'

export function testCaseImportsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.importTestCases,
    ...withLookupErrors((request, errors) => addImportErrors(db, requireProject(request), request.body, errors)),
    handler: async (request) => {
      const { rows } = request.body
      const options = { author: getCaseAuthor(request, 'import'), isDryRun: request.query.dry_run === 'true' }
      return { data: await importTestCases(db, requireProject(request), rows, options) }
    },
  })
}
