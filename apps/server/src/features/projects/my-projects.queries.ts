import { MAX_MY_PROJECTS, MAX_PASS_RATES, type MyProject, PROJECT_PERMISSIONS } from '@caseward/contract/my-projects'

import { permissionGrants } from '../../access/permissions.ts'
import type { Role } from '../../access/principal.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type JsonItems, readPage } from '../../platform/database/reads.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { TEST_STATS } from '../runs/run-columns.ts'
import { RESULT_COUNT, PASS_RATE } from '../runs/run-counts.ts'

const listPermissions = (role: Role): string =>
  JSON.stringify(PROJECT_PERMISSIONS.filter((permission) => permissionGrants[permission].roles.includes(role)))
const permissionsByRole: Readonly<Record<string, string>> = {
  admin: listPermissions('admin'),
  member: listPermissions('member'),
  viewer: listPermissions('viewer'),
}

/** Null without any in use. */
const HAS_CONFIGURATIONS = `case when exists (
  select from configurations k where (k.project_id = p.id or k.project_id is null) and k.retired_at is null
) then true end`

/** Null without any. */
const DEFAULT_VIEWS = `(
  select json_agg(json_build_object('page', d.page, 'view_id', d.view_id) order by d.page)
  from default_views d where d.user_id = $1 and d.project_id = p.id
)`

/** Columns of a membership `m`, its project `p` and the last runs of the project `recent`. */
const myProjectColumns = defineColumns<MyProject>({
  id: { sql: 'p.id', encode: toPlainJsonString },
  name: { sql: 'p.name', encode: toJsonString },
  prefix: { sql: 'p.prefix', encode: toPlainJsonString },
  role: { sql: 'm.role', encode: toPlainJsonString },
  permissions: { sql: 'm.role', encode: (role) => permissionsByRole[role] ?? '[]' },
  test_case_count: { sql: 'p.test_case_count', encode: toRawJson },
  run_count: { sql: 'p.run_count', encode: toRawJson },
  member_count: { sql: 'p.member_count', encode: toRawJson },
  last_run: { sql: 'recent.last_run', encode: toRawJson },
  pass_rates: { sql: `coalesce(recent.pass_rates, '[]')`, encode: toRawJson },
  steps_decide: { sql: 'p.steps_decide', encode: toPlainJsonString },
  fields_version: { sql: 'nullif(p.fields_version, 0)', encode: toRawJson, isOptional: true },
  default_template: { sql: `nullif(p.default_template, 'steps')`, encode: toPlainJsonString, isOptional: true },
  has_configurations: { sql: HAS_CONFIGURATIONS, encode: () => 'true', isOptional: true },
  has_aliases: { sql: `case when p.alias_sources is not null then 'true' end`, encode: () => 'true', isOptional: true },
  default_views: { sql: DEFAULT_VIEWS, encode: toRawJson, isOptional: true },
})

const LAST_RUN = `json_build_object(
  'id', id, 'name', name, 'status', status, 'stats', json_build_object(
    'passed', passed_count, 'failed', failed_count, 'blocked', blocked_count, 'retest', retest_count,
    'not_tested', not_tested_count
  ), 'pass_rate', ${PASS_RATE}, 'test_stats', ${TEST_STATS},
  'created_at', to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)`
const SELECT_TOTAL = 'select project_count from users where id = $1'
// The limits keep the planner from reading all projects and all runs for a hash join.
const SELECT_PROJECTS = `
  select ${myProjectColumns.selectList}, (${SELECT_TOTAL})
  from (
    select project_id, project_updated_at, role from memberships where user_id = $1
    order by project_updated_at desc, project_id desc limit ${MAX_MY_PROJECTS}
  ) m
  cross join lateral (select * from projects where id = m.project_id limit 1) p
  cross join lateral (
    select (array_agg(${LAST_RUN} order by id desc) filter (where number = 1))[1] as last_run,
      json_agg(${PASS_RATE} order by id) filter (where ${RESULT_COUNT} > not_tested_count) as pass_rates
    from (
      select *, row_number() over (order by id desc) as number from runs where project_id = p.id
      order by id desc limit ${MAX_PASS_RATES}
    ) r
  ) recent
  order by m.project_updated_at desc, m.project_id desc`

/** All projects of a user, up to a maximum, and their number; null when the user is gone. */
export const selectMyProjects = (db: Database, userId: string): Promise<JsonItems | null> =>
  readPage(
    db,
    {
      rows: { text: SELECT_PROJECTS, values: [userId] },
      total: () => ({ text: SELECT_TOTAL, values: [userId] }),
    },
    (row) => myProjectColumns.toJson(row),
  )
