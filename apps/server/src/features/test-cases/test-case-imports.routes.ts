import * as contract from '@caseward/contract/test-case-imports'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { withLookupErrors } from '../../platform/http/lookup-errors.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { addImportErrors, importTestCases } from './import-test-cases.ts'

export function testCaseImportsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.importTestCases,
    ...withLookupErrors((request, errors) => addImportErrors(db, requireProject(request), request.body, errors)),
    handler: async (request) => {
      const options = {
        author: getCaseAuthor(request, 'import'),
        actor: getActor(request),
        isDryRun: request.query.dry_run === 'true',
      }
      return { data: await importTestCases(db, requireProject(request), request.body, options) }
    },
  })
}
