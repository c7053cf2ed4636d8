import { uploadReports } from '@caseward/contract/run-reports'

import type { Deps } from '../../deps.ts'
import { requireRun } from '../../access/request.ts'
import type { App } from '../../platform/http/app.ts'
import { requireEqualNames } from '../runs/run-settings.ts'
import type { KnownSuites } from './known-suites.ts'
import { readSource } from './read-source.ts'
import { checkReports } from './report-size.ts'
import { sendReceipt } from './send-receipt.ts'
import { storeUpload } from './store-upload.ts'

/** Reports that a person uploads. CI uploads with its token (`uploads.routes.ts`). */
export function reportUploadsRoutes(app: App, deps: Deps, knownSuites: KnownSuites): void {
  app.route({
    ...uploadReports,
    handler: async (request, reply) => {
      const run = requireRun(request)
      const { reports, create_test_cases: createsTestCases = false } = request.body
      await checkReports(reports)
      const equalNames = () => requireEqualNames(deps.db, run.project.id)
      const receipt = await storeUpload(
        { ...deps, knownSuites },
        run,
        { reports, options: { root: undefined, module: undefined, path: undefined, equalNames } },
        {
          source: readSource({ run_id: run.id }),
          dryRun: false,
          finishedAt: null,
          createsTestCases,
          addsToRun: undefined,
        },
      )
      return sendReceipt(request, reply, receipt)
    },
  })
}
