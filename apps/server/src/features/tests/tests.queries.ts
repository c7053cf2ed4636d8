import { MAX_CONTINUED } from '@caseward/contract/drift'
import type { listTestOutcomes, listTests } from '@caseward/contract/tests'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import { defineItemRead, type JsonCursorPage, readCursorPage, toTextQuery } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { selectActiveByTest } from '../quarantines/quarantines.queries.ts'
import { formatTestCaseId, parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { JOIN_LATEST, outcomeInRunColumns, projectTestColumns } from './test-columns.ts'
import { buildSearch, IS_LINKED, isLinkedTo } from './test-filters.ts'
import { addStability, buildStability, STABILITY_OF_TEST } from './test-stability.ts'
import { countTests, type TestPage } from './test-pages.ts'

type Filters = Static<typeof listTests.schema.querystring>

/** A page of the tests of a project. */
export async function selectTests(db: Database, project: ProjectRef, filters: Filters): Promise<TestPage> {
  const {
    after,
    per_page: perPage = 20,
    linked,
    test_case_id: caseId,
    search,
    stability,
    quarantined,
    fields,
    sort = 'oldest',
  } = filters
  const conditions = [sql`t.project_id = ${project.id}`]
  if (linked !== undefined) conditions.push(linked ? IS_LINKED : sql`not ${IS_LINKED}`)
  if (search !== undefined && search !== '') conditions.push(buildSearch(search))
  if (caseId !== undefined) {
    const number = parseTestCaseNumber(caseId, project.prefix)
    if (number === null) return { items: '[]', nextAfter: null, total: 0 }
    conditions.push(isLinkedTo(sql`${number}`))
  }
  if (stability !== undefined) conditions.push(buildStability(stability))
  // Quarantines stay on the coordinator with Citus: no statement joins them with tests.
  const quarantines =
    quarantined === undefined && fields === undefined ? null : await selectActiveByTest(db, project.id)
  if (quarantines !== null && quarantined !== undefined) {
    const isQuarantined = sql`t.id = any(${toArrayLiteral([...quarantines.keys()])}::uuid[])`
    conditions.push(quarantined ? isQuarantined : sql`not ${isQuarantined}`)
  }
  const where = sql`where ${sql.join(conditions, sql` and `)}`
  const from = sort === 'oldest' ? sql`from tests t ${where}` : sql`${FROM_UNSTABLE} ${where}`
  const order = sort === 'oldest' ? sql`t.id` : sql`t.score desc, t.id`
  // The page is chosen first, so that the latest outcome is looked up only for its tests.
  const rows = sql`
    select ${sql.raw(projectTestColumns.selectList)}${fields === undefined ? sql`` : sql`, ${sql.raw(STABILITY_OF_TEST)}, t.id`},
      ${sort === 'oldest' ? sql`t.id` : sql`t.score || '.' || t.id`}
    from (
      select t.*${sort === 'oldest' ? sql`` : sql`, u.score`} ${from}
      ${after === undefined ? sql`` : sql`and ${buildAfter(after, sort)}`}
      order by ${sort === 'oldest' ? sql`t.id` : sql`u.score desc, t.id`} limit ${perPage + 1}
    ) t ${sql.raw(JOIN_LATEST)}
    order by ${order}`
  const [page, total] = await Promise.all([
    readCursorPage(db, { ...toTextQuery(db, rows), useCustomPlan: true }, perPage, (row) => {
      const test = projectTestColumns.toJson(row, project)
      return quarantines === null || fields === undefined
        ? test
        : addStability(test, row.at(-3) ?? null, quarantines.get(row.at(-2) ?? '') ?? null)
    }),
    countTests(db, from),
  ])
  return { ...page, total }
}

/** Tests that something is known against. */
const FROM_UNSTABLE = sql`
  from unstable_tests u join tests t on t.project_id = u.project_id and t.id = u.test_id`

/** What comes after a row. A cursor of the other order begins at its test, as well as it can. */
function buildAfter(after: string, sort: 'oldest' | 'score'): RawBuilder<unknown> {
  const [id = '', score = '100'] = after.split('.').toReversed()
  return sort === 'oldest'
    ? sql`t.id > ${id}`
    : sql`(u.score < ${score}::integer or (u.score = ${score}::integer and t.id > ${id}))`
}

const readTest = defineItemRead(projectTestColumns, `from tests t ${JOIN_LATEST} where t.project_id = $1 and t.id = $2`)

/** A test as a JSON object; null when there is none. */
export async function selectTest(db: Database, project: ProjectRef, id: string): Promise<string | null> {
  return isUuid(id) ? await readTest(db, [project.id, id], project) : null
}

/** A test, and the earlier ones that it continues. The condition on each table is that of Citus. */
const selectContinued = (projectId: string, id: string) => sql`
  with recursive continued as (
    select t.id, t.continues_id, 0 as depth from tests t where t.project_id = ${projectId} and t.id = ${id}
    union all
    select t.id, t.continues_id, c.depth + 1 from continued c
    join tests t on t.project_id = ${projectId} and t.id = c.continues_id
    where c.depth < ${sql.lit(MAX_CONTINUED)}
  )
  select id::text from continued order by depth`

/** A page of the outcomes of a test and of those that it continues, the newest run first. */
export async function selectTestOutcomes(
  db: Database,
  project: ProjectRef,
  id: string,
  { after, per_page: perPage = 20 }: Static<typeof listTestOutcomes.schema.querystring>,
): Promise<JsonCursorPage> {
  const { rows: tests } = await sql<{ id: string }>`${selectContinued(project.id, id)}`.execute(db)
  const testIds = toArrayLiteral(tests.map((test) => test.id))
  // Of an earlier run with both, it is the outcome of the test itself.
  const rows = sql`
    select ${sql.raw(outcomeInRunColumns.selectList)}, r.id
    from runs r, lateral (
      select * from test_outcomes
      where project_id = ${project.id} and run_id = r.id and test_id = any(${testIds}::uuid[])
      order by array_position(${testIds}::uuid[], test_id) limit 1
    ) o
    where r.project_id = ${project.id} ${after === undefined ? sql`` : sql`and r.id < ${after}`}
    order by r.id desc limit ${perPage + 1}`
  return await readCursorPage(
    db,
    { ...toTextQuery(db, rows), useCustomPlan: true },
    perPage,
    outcomeInRunColumns.toJson,
  )
}

const MAX_SUGGESTIONS = 3
const TITLE_SEPARATOR = /\s+[>›»]\s+/

/**
 * Test cases that an unlinked test may belong to, because it was renamed: those with a similar title whose tests were not in
 * the newest run of the test. The most similar first.
 */
export async function selectSuggestions(
  db: Database,
  project: ProjectRef,
  id: string,
): Promise<{ test_case_id: string; title: string }[]> {
  const test = await db
    .selectFrom('tests')
    .select('name')
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  const title = test?.name.split(TITLE_SEPARATOR).at(-1) ?? ''
  const { rows } = await sql<{ number: number; title: string }>`
    with newest as (
      select run_id from tests t ${sql.raw(JOIN_LATEST)} where t.project_id = ${project.id} and t.id = ${id}
    )
    select c.number, c.title from test_cases c
    where c.project_id = ${project.id} and c.title % ${title} and c.archived_at is null
      and exists (select from test_links l where l.project_id = c.project_id and l.case_number = c.number)
      and not exists (select from test_links l where l.project_id = c.project_id and l.test_id = ${id})
      and not exists (
        select from test_links l
        join newest on true
        join test_outcomes o on o.project_id = l.project_id and o.run_id = newest.run_id and o.test_id = l.test_id
        where l.project_id = c.project_id and l.case_number = c.number
      )
    order by similarity(c.title, ${title}) desc, c.number limit ${sql.lit(MAX_SUGGESTIONS)}`.execute(db)
  return rows.map(({ number, title: caseTitle }) => ({
    test_case_id: formatTestCaseId(project.prefix, number),
    title: caseTitle,
  }))
}
