import { MAX_PEOPLE, type Person } from '@caseward/contract/members'

import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { SHOWN_NAME } from '../imported-people/imported-people.queries.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'

const personColumns = defineColumns<Person>({
  id: { sql: 'p.id', encode: toPlainJsonString },
  name: { sql: 'p.name', encode: toJsonString },
  avatar_url: { sql: 'p.avatar_url', encode: toJsonString },
  is_member: { sql: 'p.role is not null', encode: (text) => (text === 't' ? 'true' : 'false') },
  role: { sql: 'p.role', encode: toPlainJsonString },
})

const SELECT_PEOPLE = `
  select ${personColumns.selectList}
  from (
    select u.id, u.name, u.avatar_url, m.role
    from project_people p join users u on u.id = p.user_id
    left join memberships m on m.project_id = p.project_id and m.user_id = p.user_id
    where p.project_id = $1
    union all
    select i.id, coalesce(u.name, ${SHOWN_NAME}), u.avatar_url, null
    from imported_people i left join users u on u.id = i.user_id
    where i.project_id = $1 and i.joined_at is null
  ) p
  order by p.role is null, p.name, p.id limit ${MAX_PEOPLE}`

/** Everybody who is or was a member of a project, and people of imported history, as a JSON array. */
export async function selectPeople(db: Database, projectId: string): Promise<string> {
  const rows = await runTextQuery(db, { text: SELECT_PEOPLE, values: [projectId] })
  return `[${rows.map((row) => personColumns.toJson(row)).join(',')}]`
}
