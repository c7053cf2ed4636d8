import type { ViewPage } from '@caseward/contract/view-parameters'
import type { DefaultView, View } from '@caseward/contract/views'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'

/** A user in a project. */
export interface ViewReader {
  projectId: string
  userId: string
}

export interface ViewRow {
  id: string
  page: ViewPage
  name: string
  query: string
  columns: string[] | null
  is_shared: boolean
  owner_id: string
  updated_at: Date
}

/** What is stored of a view, besides whose it is. */
export type ViewContent = Pick<ViewRow, 'name' | 'query' | 'columns' | 'is_shared'>

const fields = sql`id, page, name, query, columns, private_to is null as is_shared, owner_id, updated_at`
const isVisible = ({ projectId, userId }: ViewReader): RawBuilder<boolean> =>
  sql`project_id = ${projectId} and (private_to is null or private_to = ${userId})`
const toJson = (columns: readonly string[] | null) => (columns === null ? null : JSON.stringify(columns))

export const presentView = ({ updated_at, ...row }: ViewRow): View => ({ ...row, updated_at: presentTime(updated_at) })

/** Selects the user's own views and the shared ones, by name. Their number is limited. */
export async function selectViews(db: Database, reader: ViewReader, page: ViewPage | undefined): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select ${fields} from views
    where ${isVisible(reader)} and (${page ?? null}::text is null or page = ${page ?? null})
    order by lower(name), id`.execute(db)
  return rows
}

export async function selectView(db: Database, reader: ViewReader, id: string): Promise<ViewRow | undefined> {
  const { rows } = await sql<ViewRow>`select ${fields} from views where ${isVisible(reader)} and id = ${id}`.execute(db)
  return rows[0]
}

/** Locks the project, so that its views are counted rightly. Returns false if it is gone. */
export async function lockViews(tx: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from projects where id = ${projectId} for no key update`.execute(tx)
  return rows.length > 0
}

export interface ViewCounts {
  /** Views of the user, private and shared ones. */
  own: number
  /** Shared views of everyone. */
  shared: number
}

/** Counts views, except for one. */
export async function countViews(
  tx: Database,
  { projectId, userId }: ViewReader,
  exceptId: string | null,
): Promise<ViewCounts> {
  const { rows } = await sql<ViewCounts>`
    select (count(*) filter (where owner_id = ${userId}))::integer as own,
      (count(*) filter (where private_to is null))::integer as shared
    from views where project_id = ${projectId} and id is distinct from ${exceptId}::uuid`.execute(tx)
  return rows[0] ?? { own: 0, shared: 0 }
}

export async function insertView(
  tx: Database,
  { projectId, userId }: ViewReader,
  { id, page, name, query, columns, is_shared }: ViewContent & Pick<ViewRow, 'id' | 'page'>,
): Promise<ViewRow> {
  const { rows } = await sql<ViewRow>`
    insert into views (project_id, id, page, name, query, columns, owner_id, private_to)
    values (${projectId}, ${id}, ${page}, ${name}, ${query}, ${toJson(columns)}::json, ${userId},
      ${is_shared ? null : userId}::uuid)
    returning ${fields}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('An inserted view was not returned')
  return row
}

/** Changes a view, and returns it; undefined if it is gone. */
export async function updateView(
  tx: Database,
  projectId: string,
  id: string,
  { name, query, columns, is_shared }: ViewContent,
): Promise<ViewRow | undefined> {
  const { rows } = await sql<ViewRow>`
    update views set name = ${name}, query = ${query}, columns = ${toJson(columns)}::json,
      private_to = case when ${is_shared} then null else owner_id end, updated_at = now()
    where project_id = ${projectId} and id = ${id}
    returning ${fields}`.execute(tx)
  return rows[0]
}

/** Ends a view as the default of everyone but its owner, who alone sees it now. */
export async function deleteDefaultsOfOthers(tx: Database, projectId: string, view: ViewRow): Promise<void> {
  await sql`
    delete from default_views
    where project_id = ${projectId} and view_id = ${view.id} and user_id <> ${view.owner_id}`.execute(tx)
}

/** Returns false if it was gone. */
export async function deleteView(db: Database, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from views where project_id = ${projectId} and id = ${id} returning id`.execute(db)
  return rows.length > 0
}

export async function selectDefaultViews(
  db: Database,
  { projectId, userId }: ViewReader,
  page: ViewPage | undefined,
): Promise<DefaultView[]> {
  const { rows } = await sql<DefaultView>`
    select page, view_id from default_views
    where user_id = ${userId} and project_id = ${projectId} and (${page ?? null}::text is null or page = ${page ?? null})
    order by page`.execute(db)
  return rows
}

export async function deleteDefaultView(
  db: Database,
  { projectId, userId }: ViewReader,
  page: ViewPage,
): Promise<void> {
  await sql`
    delete from default_views
    where user_id = ${userId} and project_id = ${projectId} and page = ${page}`.execute(db)
}

/** Returns false if the user cannot see the view, or it is of another page. */
export async function upsertDefaultView(
  db: Database,
  reader: ViewReader,
  page: ViewPage,
  viewId: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into default_views (user_id, project_id, page, view_id)
    select ${reader.userId}::uuid, project_id, page, id from views
    where ${isVisible(reader)} and id = ${viewId} and page = ${page}
    for share
    on conflict (user_id, project_id, page) do update set view_id = excluded.view_id
    returning view_id`.execute(db)
  return rows.length > 0
}
