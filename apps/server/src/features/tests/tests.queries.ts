import type { listTestOutcomes, listTests } from '@caseward/contract/tests'
import { sql } from 'kysely'
import type { Static } from 'typebox'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineItemRead, type JsonCursorPage, readCursorPage, toTextQuery } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { formatTestCaseId, parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { JOIN_LATEST, outcomeInRunColumns, projectTestColumns } from './test-columns.ts'
import { buildSearch, IS_LINKED, isLinkedTo } from './test-filters.ts'
import { countTests, type TestPage } from './test-pages.ts'

type Filters = Static<typeof listTests.schema.querystring>

/** A page of the tests of a project. */
export async function selectTests(db: Database, project: ProjectRef, filters: Filters): Promise<TestPage> {
  const { after, per_page: perPage = 20, linked, test_case_id: caseId, search } = filters
  const conditions = [sql`t.project_id = ${project.id}`]
  if (linked !== undefined) conditions.push(linked ? IS_LINKED : sql`not ${IS_LINKED}`)
  if (search !== undefined && search !== '') conditions.push(buildSearch(search))
  if (caseId !== undefined) {
    const number = parseTestCaseNumber(caseId, project.prefix)
    if (number === null) return { items: '[]', nextAfter: null, total: 0 }
    conditions.push(isLinkedTo(sql`${number}`))
  }
  const where = sql`where ${sql.join(conditions, sql` and `)}`
  // The page is chosen first, so that the latest outcome is looked up only for its tests.
  const rows = sql`
    select ${sql.raw(projectTestColumns.selectList)}, t.id
    from (
      select t.* from tests t ${where} ${after === undefined ? sql`` : sql`and t.id > ${after}`}
      order by t.id limit ${perPage + 1}
    ) t ${sql.raw(JOIN_LATEST)}
    order by t.id`
  const [page, total] = await Promise.all([
    readCursorPage(db, { ...toTextQuery(db, rows), useCustomPlan: true }, perPage, (row) =>
      projectTestColumns.toJson(row, project),
    ),
    countTests(db, sql`from tests t ${where}`),
  ])
  return { ...page, total }
}

const readTest = defineItemRead(projectTestColumns, `from tests t ${JOIN_LATEST} where t.project_id = $1 and t.id = $2`)

/** A test as a JSON object; null when there is none. */
export async function selectTest(db: Database, project: ProjectRef, id: string): Promise<string | null> {
  return isUuid(id) ? await readTest(db, [project.id, id], project) : null
}

/** A page of the outcomes of a test, the newest run first. */
export async function selectTestOutcomes(
  db: Database,
  project: ProjectRef,
  id: string,
  { after, per_page: perPage = 20 }: Static<typeof listTestOutcomes.schema.querystring>,
): Promise<JsonCursorPage> {
  const rows = sql`
    select ${sql.raw(outcomeInRunColumns.selectList)}, r.id
    from runs r, lateral (
      select * from test_outcomes where project_id = ${project.id} and run_id = r.id and test_id = ${id} limit 1
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
