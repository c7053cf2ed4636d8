import {
  type CreateViewBody,
  type DefaultView,
  MAX_SHARED_VIEWS,
  MAX_VIEWS,
  type UpdateViewBody,
} from '@caseward/contract/views'
import { v7 as uuidv7 } from 'uuid'

import { checkRole } from '../../access/permissions.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import {
  forbiddenProblem,
  invalidFieldProblem,
  notFoundProblem,
  unprocessableProblem,
} from '../../platform/http/problems.ts'
import { parseViewQuery } from './parse-view-query.ts'
import * as views from './views.queries.ts'

/** @throws {Problem} 400 for the query; 403 for a viewer who shares; 422 `too_many_views` */
export async function createView(
  db: Database,
  user: UserPrincipal,
  projectId: string,
  { page, name, query, columns = null, is_shared = false }: CreateViewBody,
): Promise<views.ViewRow> {
  const reader = { projectId, userId: user.userId }
  const content = { name, query: parseViewQuery(page, query), columns, is_shared }
  if (is_shared) requireSharing(user, projectId)
  return await inTransaction(db, projectId, async (tx) => {
    await requireRoom(tx, reader, { id: null, isOwn: true, isShared: is_shared })
    return await views.insertView(tx, reader, { ...content, id: uuidv7(), page })
  })
}

/** @throws {Problem} 400 for the query; 403 `not_yours`, or for a viewer who shares; 404; 422 `too_many_views` */
export async function updateView(
  db: Database,
  user: UserPrincipal,
  projectId: string,
  id: string,
  changes: UpdateViewBody,
): Promise<views.ViewRow> {
  const reader = { projectId, userId: user.userId }
  return await inTransaction(db, projectId, async (tx) => {
    const view = await requireOwnView(tx, user, reader, id)
    const { query = view.query, columns = view.columns, name = view.name, is_shared = view.is_shared } = changes
    if (is_shared !== view.is_shared) {
      // It would be lost to the admin at once.
      if (view.owner_id !== user.userId) throw notYoursProblem('make it private')
      if (is_shared) {
        requireSharing(user, projectId)
        await requireRoom(tx, reader, { id: view.id, isOwn: false, isShared: true })
      }
    }
    const content = { name, query: parseViewQuery(view.page, query), columns, is_shared }
    const changed = await views.updateView(tx, projectId, view.id, content)
    if (changed === undefined) throw notFoundProblem('view')
    if (view.is_shared && !is_shared) await views.deleteDefaultsOfOthers(tx, projectId, changed)
    return changed
  })
}

/** @throws {Problem} 403 `not_yours`; 404 */
export async function deleteView(db: Database, user: UserPrincipal, projectId: string, id: string): Promise<void> {
  const view = await requireOwnView(db, user, { projectId, userId: user.userId }, id)
  if (!(await views.deleteView(db, projectId, view.id))) throw notFoundProblem('view')
}

/** @throws {Problem} 400 for a view that the user cannot see, or of another page */
export async function setDefaultView(
  db: Database,
  reader: views.ViewReader,
  { page, view_id: viewId }: DefaultView,
): Promise<void> {
  if (viewId === null) return await views.deleteDefaultView(db, reader, page)
  if (isUuid(viewId) && (await views.upsertDefaultView(db, reader, page, viewId))) return
  throw invalidFieldProblem('/view_id', 'must be a view of this page that you can see')
}

async function inTransaction<T>(db: Database, projectId: string, work: (tx: Database) => Promise<T>): Promise<T> {
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    if (!(await views.lockViews(tx, projectId))) throw notFoundProblem('project')
    return await work(tx)
  })
}

function requireSharing(user: UserPrincipal, projectId: string): void {
  const problem = checkRole(user.roles.get(projectId), 'test-cases:edit')
  if (problem !== null) throw problem
}

async function requireRoom(
  tx: Database,
  reader: views.ViewReader,
  { id, isOwn, isShared }: { id: string | null; isOwn: boolean; isShared: boolean },
): Promise<void> {
  const { own, shared } = await views.countViews(tx, reader, id)
  if (isOwn && own >= MAX_VIEWS) {
    throw tooManyViewsProblem(`You have ${MAX_VIEWS} views in this project, which is the limit.`)
  }
  if (isShared && shared >= MAX_SHARED_VIEWS) {
    throw tooManyViewsProblem(`The project has ${MAX_SHARED_VIEWS} shared views, which is the limit.`)
  }
}

/** Returns a view that the user may change: their own, or a shared one for an admin. */
async function requireOwnView(
  db: Database,
  user: UserPrincipal,
  reader: views.ViewReader,
  id: string,
): Promise<views.ViewRow> {
  const view = isUuid(id) ? await views.selectView(db, reader, id) : undefined
  if (view === undefined) throw notFoundProblem('view')
  if (view.owner_id !== user.userId && user.roles.get(reader.projectId) !== 'admin') throw notYoursProblem('change it')
  return view
}

const notYoursProblem = (verb: string) =>
  forbiddenProblem(`Someone else has created this view, and you may not ${verb}. Save one of your own.`, 'not_yours')

const tooManyViewsProblem = (what: string) =>
  unprocessableProblem('too_many_views', `${what} Delete one that is no longer needed first.`)
