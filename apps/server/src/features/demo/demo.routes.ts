import { createDemoProject } from '@caseward/contract/demo'
import { sql } from 'kysely'

import { requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type Database, getPool } from '../../platform/database/connect.ts'
import { runAfterCommit, runInRequestTransaction } from '../../platform/database/request-transaction.ts'
import type { App } from '../../platform/http/app.ts'
import { conflictProblem } from '../../platform/http/problems.ts'
import { requireProjectCreation } from '../admin/require-project-creation.ts'
import { getActor } from '../audit/record-audit.ts'
import { presentProject } from '../projects/present-project.ts'
import { createDemo, DEMO_NAME } from './create-demo.ts'
import { attachDemoFiles } from './demo-files.ts'

/** Tells this lock on a user from others. */
const DEMO_LOCK_SEED = 6_129_481_022

export function demoRoutes(app: App, deps: Deps): void {
  const { db, principalCache } = deps
  app.route({
    ...createDemoProject,
    onRequest: requireProjectCreation({ db }),
    handler: async (request, reply) => {
      const adminId = requireUserId(request)
      const project = await runInRequestTransaction(getPool(db), adminId, async () => {
        await db.transaction().execute(async (tx) => await requireNoDemo(tx, adminId))
        const demo = await createDemo(deps, getActor(request), { adminId, testerIds: [] }, adminId)
        runAfterCommit(() => {
          attachDemoFiles(deps, demo.evidence).catch((error: unknown) => {
            request.log.warn({ err: error }, 'the demo has no files')
          })
        })
        return demo.project
      }).finally(principalCache.clear)
      return reply.code(201).send({ data: presentProject(project) })
    },
  })
}

/** @throws {Problem} 409 `demo_exists`, also while another request of this user creates the demo */
async function requireNoDemo(tx: Database, userId: string): Promise<void> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${userId}, ${DEMO_LOCK_SEED})) as is_locked`.execute(tx)
  if (rows[0]?.is_locked !== true) throw demoInProgressProblem()
  const existing = await tx
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.project_id')
    .select('projects.id')
    .where('memberships.user_id', '=', userId)
    .where('projects.name', '=', DEMO_NAME)
    .limit(1)
    .executeTakeFirst()
  if (existing !== undefined) throw demoExistsProblem()
}

const demoExistsProblem = () =>
  conflictProblem('demo_exists', 'You have a demo project already. Delete or rename it first to create another one.')

const demoInProgressProblem = () =>
  conflictProblem('demo_in_progress', 'Your demo project is being created by another request. Reload in a few seconds.')
