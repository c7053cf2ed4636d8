import type { ProjectListItem } from '@caseward/contract/projects'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { defineColumns, type JsonItems, readPage } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import type { Principal } from '../../access/principal.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'

const fields = [
  'id',
  'name',
  'prefix',
  'description',
  'test_case_count',
  'run_count',
  'member_count',
  'created_at',
  'updated_at',
] as const

export type ProjectRow = NonNullable<Awaited<ReturnType<typeof selectProject>>>

const listItem = defineColumns<ProjectListItem>({
  id: { sql: 'p.id', encode: toPlainJsonString },
  name: { sql: 'p.name', encode: toJsonString },
  prefix: { sql: 'p.prefix', encode: toPlainJsonString },
  test_case_count: { sql: 'p.test_case_count', encode: toRawJson },
  run_count: { sql: 'p.run_count', encode: toRawJson },
  created_at: { sql: 'p.created_at', encode: toJsonTimestamp },
  updated_at: { sql: 'p.updated_at', encode: toJsonTimestamp },
})

/** A page of the projects that a caller has access to, the last updated first. */
export async function selectReachableProjects(
  db: Database,
  principal: Principal,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const { page, total, id } =
    principal.kind === 'ci' ? { ...OF_TOKEN, id: principal.projectId } : { ...OF_USER, id: principal.userId }
  const queries = {
    rows: { text: page, values: [id, limit, offset] },
    total: () => ({ text: total, values: [id] }),
  }
  return await readPage(db, listItem, queries)
}

const OF_USER = {
  page: `
    select ${listItem.selectList}, (select count(*) from memberships where user_id = $1)
    from memberships m join projects p on p.id = m.project_id
    where m.user_id = $1
    order by p.updated_at desc, p.id desc limit $2 offset $3`,
  total: 'select count(*) from memberships where user_id = $1',
}
const OF_TOKEN = {
  page: `select ${listItem.selectList}, 1 from projects p where p.id = $1 limit $2 offset $3`,
  total: 'select count(*) from projects where id = $1',
}

export async function selectProject(db: Database, id: string) {
  return await db.selectFrom('projects').select(fields).where('id', '=', id).executeTakeFirst()
}

/** Creates a project with its first admin. */
export async function insertProject(
  db: Database,
  project: { name: string; prefix: string; description: string; adminId: string },
): Promise<ProjectRow> {
  const { name, prefix, description, adminId } = project
  return await db
    .with('project', (cte) =>
      cte.insertInto('projects').values({ id: uuidv7(), name, prefix, description, member_count: 1 }).returning(fields),
    )
    .with('membership', (cte) =>
      cte
        .insertInto('memberships')
        .columns(['project_id', 'user_id', 'role'])
        .expression((from) =>
          from
            .selectFrom('project')
            .select(['id', sql`${adminId}::uuid`.as('user_id'), sql`'admin'::member_role`.as('role')]),
        ),
    )
    .selectFrom('project')
    .select(fields)
    .executeTakeFirstOrThrow()
}

/** Changes the fields that are given; undefined when there is no such project. */
export async function updateProject(
  db: Database,
  id: string,
  { name, description }: { name: string | undefined; description: string | undefined },
) {
  if (name === undefined && description === undefined) return await selectProject(db, id)
  return await db
    .updateTable('projects')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirst()
}

/**
 * Deletes a project with everything in it. The project's row goes first: whatever would still write into it waits
 * for that lock, and then finds nothing.
 * @returns its name, or null when it was gone already
 */
export async function deleteProject(db: Database, id: string): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    const locked = await tx.selectFrom('projects').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
    if (locked === undefined) return null
    await tx.selectFrom('runs').select('id').where('project_id', '=', id).orderBy('id').forUpdate().execute()
    await tx.deleteFrom('test_results').where('project_id', '=', id).execute()
    await tx.deleteFrom('projects').where('id', '=', id).execute()
    return locked.name
  })
}

/**
 * Holds a project's row until the transaction ends: what adds, moves or removes something in it happens in one place at
 * a time. Taken before the rows of runs.
 * @param asked what the request named: of a run whose project is gone, the caller knows only the run
 * @throws {Problem} 404 when the project is gone
 */
export async function lockProject(
  tx: Database,
  id: string,
  asked: 'project' | 'run' = 'project',
): Promise<{ name: string }> {
  const project = await tx
    .selectFrom('projects')
    .select('name')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (project === undefined) throw notFoundProblem(asked)
  return project
}
