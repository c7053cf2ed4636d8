import { MAX_HITS, MAX_SEARCHED_PROJECTS, type SearchHit } from '@caseward/contract/search'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { type Database, hasCitus } from '../../platform/database/connect.ts'
import { runTextQuery, type TextValue } from '../../platform/database/fast-reads/text-rows.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'
import { listLookups } from '../case-aliases/find-by-alias.ts'
import { hasTrigram } from '../test-cases/test-case-filters.ts'

/** Columns of `hit`. */
const fields: ColumnsOf<SearchHit> = {
  kind: { sql: 'hit.kind', encode: toPlainJsonString },
  id: { sql: 'hit.id', encode: toPlainJsonString },
  project_id: { sql: 'hit.project_id', encode: toPlainJsonString },
  title: { sql: 'hit.title', encode: toJsonString },
  detail: { sql: 'hit.detail', encode: toPlainJsonString },
}
const columns = defineColumns<SearchHit>(fields)

/** Hits of one kind if several are searched for, so that none hides the others. */
const PER_KIND = 6
const SEARCHED_RUNS = 500

/** Searches a kind in the projects `mine`: `$2` is the pattern. */
const SOURCES: Readonly<Record<SearchHit['kind'], (limit: number) => string>> = {
  project: (limit) => `
    select 1 as rank, 'project' as kind, id::text, id as project_id, name as title, prefix as detail
    from mine where name ilike $2 or prefix ilike $2 limit ${limit}`,
  milestone: (limit) => `
    select 2, 'milestone', m.id::text, m.project_id, m.name, m.status::text
    from mine join milestones m on m.project_id = mine.id
    where m.name ilike $2 order by m.id desc limit ${limit}`,
  run: (limit) => `
    select 3, 'run', r.id::text, r.project_id, r.name, r.status::text
    from mine cross join lateral (
      select * from (
        select id, project_id, name, status from runs where project_id = mine.id order by id desc limit ${SEARCHED_RUNS}
      ) newest
      where name ilike $2 limit ${limit}
    ) r
    order by r.id desc limit ${limit}`,
  test_case: (limit) => `
    select 4, 'test_case', mine.prefix || '-' || c.number, mine.id, c.title, null
    from mine cross join lateral (
      select number, title from test_cases where project_id = mine.id and title ilike $2 and archived_at is null limit ${limit}
    ) c
    limit ${limit}`,
}

/** The same search on a distributed database, which asks all nodes once instead of one project after the other. */
const buildDistributedCases = (limit: number) => `
  select 4, 'test_case', mine.prefix || '-' || c.number, mine.id, c.title, null
  from mine join (
    select project_id, number, title from test_cases
    where project_id = any(array(select id from mine)) and title ilike $2 and archived_at is null limit ${limit}
  ) c on c.project_id = mine.id`

/** The test case with this id, also if it is archived, whatever case its letters have: `$3` is the prefix, `$4` the number. */
const BY_ID = `
  select 0, 'test_case', mine.prefix || '-' || c.number, mine.id, c.title, null
  from mine join (
    select project_id, number, title from test_cases
    where project_id = any(array(select id from mine where prefix = $3)) and number = $4::int
  ) c on c.project_id = mine.id`

/** Test cases with this id of another tool: `$n` are what it is looked up by. */
const buildByAlias = (lookups: string): string => `
  select 0, 'test_case', mine.prefix || '-' || c.number, mine.id, c.title, null
  from mine join (
    select a.project_id, c.number, c.title
    from case_aliases a join test_cases c on c.project_id = a.project_id and c.number = a.case_number
    where a.project_id = any(array(select id from mine where has_aliases)) and a.lookup = any(${lookups}::text[])
    limit ${MAX_HITS}
  ) c on c.project_id = mine.id`

/**
 * Searches the projects of a user.
 * @param scope.projectId searches only this project; nothing is found in one that the user has no access to
 * @returns the hits as a JSON array
 */
export async function selectHits(
  db: Database,
  userId: string,
  text: string,
  { projectId, kind }: { projectId: string | undefined; kind: SearchHit['kind'] | undefined },
): Promise<string> {
  if (projectId !== undefined && !isUuid(projectId)) return '[]'
  const kinds = kind === undefined ? (['project', 'milestone', 'run', 'test_case'] as const) : [kind]
  // The index on titles needs three letters or digits in a row.
  const sources = kinds.filter((name) => name !== 'test_case' || hasTrigram(text))
  const buildSource = (name: SearchHit['kind']) =>
    name === 'test_case' && hasCitus(db) ? buildDistributedCases : SOURCES[name]
  const queries = sources.map((name) =>
    buildSource(name)(name === 'test_case' || kind !== undefined ? MAX_HITS : PER_KIND),
  )
  const [, prefix = '', number = ''] = /^\s*([a-z]{2,5})-([1-9][0-9]{0,8})\s*$/i.exec(text) ?? []
  const isId = number !== '' && (kind === undefined || kind === 'test_case')
  // An id has a digit, and only one word.
  const isAlias = /^\s*\S*\d\S*\s*$/.test(text) && (kind === undefined || kind === 'test_case')
  const values: TextValue[] = [userId, toLikePattern(text.trim()), ...(isId ? [prefix.toUpperCase(), number] : [])]
  const add = (value: TextValue) => `$${values.push(value)}`
  const byAlias = isAlias ? [buildByAlias(add(toArrayLiteral([...new Set(listLookups(text).values())])))] : []
  const all = [...(isId ? [BY_ID] : []), ...byAlias, ...queries]
  if (all.length === 0) return '[]'
  const rows = await runTextQuery(db, {
    text: `
      with mine as materialized (
        select p.id, p.name, p.prefix, p.has_aliases
        from (
          select project_id, project_updated_at from memberships
          where user_id = $1 ${projectId === undefined ? '' : `and project_id = ${add(projectId)}`}
          order by project_updated_at desc, project_id desc limit ${MAX_SEARCHED_PROJECTS}
        ) m
        cross join lateral (
          select id, name, prefix, alias_sources is not null as has_aliases from projects where id = m.project_id limit 1
        ) p
        order by m.project_updated_at desc
      )
      select ${columns.selectList}
      from (${all.map((query) => `(${query})`).join(' union all ')}) hit (rank, kind, id, project_id, title, detail)
      order by rank limit ${MAX_HITS}`,
    values,
  })
  const hits = rows.map((row) => columns.toJson(row))
  // A test case that is found by its id can be found by its title, too.
  return `[${[...new Set(hits)].join(',')}]`
}
