import * as contract from '@caseward/contract/storage'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { selectFileQuota } from '../files/file-quota.ts'
import { deleteContent } from './delete-content.ts'
import { selectProjectUsage, selectStorage } from './storage.queries.ts'

/** What files take, and the deletion of a content everywhere. */
export function storageRoutes(app: App, deps: Deps): void {
  const { db, runFileRetentionDays } = deps

  app.route({
    ...contract.getProjectStorage,
    handler: async (request) => {
      const { id } = requireProject(request)
      const usage = await selectProjectUsage(db, id)
      const quota = await selectFileQuota(db, id)
      return { data: { ...usage, max_file_bytes: quota?.quota ?? null, max_run_files_days: runFileRetentionDays } }
    },
  })

  app.route({
    ...contract.listStorage,
    handler: async ({ query: { after, per_page: limit = 20 } }) => {
      const items = await selectStorage(db, { after, limit })
      const data = items.slice(0, limit)
      return { data, meta: { next_after: items.length > limit ? (data.at(-1)?.project_id ?? null) : null } }
    },
  })

  app.route({
    ...contract.deleteContent,
    handler: async (request) => ({
      data: await deleteContent(deps, getActor(request), request.params.sha256, request.log),
    }),
  })
}
