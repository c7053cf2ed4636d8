import { MAX_PEOPLE, type Person } from '@caseward/contract/members'

import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'

const personColumns = defineColumns<Person>({
  id: { sql: 'u.id', encode: toPlainJsonString },
  name: { sql: 'u.name', encode: toJsonString },
  avatar_url: { sql: 'u.avatar_url', encode: toJsonString },
  is_member: { sql: 'm.user_id is not null', encode: (text) => (text === 't' ? 'true' : 'false') },
  role: { sql: 'm.role', encode: toPlainJsonString },
})

const SELECT_PEOPLE = `
  select ${personColumns.selectList}
  from project_people p join users u on u.id = p.user_id
  left join memberships m on m.project_id = p.project_id and m.user_id = p.user_id
  where p.project_id = $1
  order by m.user_id is null, u.name, u.id limit ${MAX_PEOPLE}`

/** Everybody who is or was a member of a project, as a JSON array. */
export async function selectPeople(db: Database, projectId: string): Promise<string> {
  const rows = await runTextQuery(db, { text: SELECT_PEOPLE, values: [projectId] })
  return `[${rows.map((row) => personColumns.toJson(row)).join(',')}]`
}
