import { type CustomColumns, noCustomColumns } from '@caseward/case-files/custom-columns'
import { listFields, listPeople } from '@caseward/client/endpoints'

import { type Connection, expectSuccess } from '../../connect.ts'
import type { RequestSubject } from '../../describe-failure.ts'

/** Reads the custom fields of a project that are in use, and its people if a field is of these. */
export async function readCustomColumns(
  projectId: string,
  connection: Connection,
  subject: RequestSubject,
): Promise<CustomColumns> {
  const params = { project_id: projectId }
  const reply = await connection.client.call(listFields, { params, query: { retired: 'false' } })
  // A server of an earlier version has none.
  if (reply.kind === 'problem' && reply.status === 404) return noCustomColumns
  const fields = expectSuccess(reply, connection, subject).data.data
  if (!fields.some(({ type }) => type === 'user')) return { fields, people: [] }
  const people = await connection.client.call(listPeople, { params })
  // A CI token cannot read them: then people are ids.
  if (people.kind === 'problem' && people.status === 403) return { fields, people: [] }
  return { fields, people: expectSuccess(people, connection, subject).data.data }
}
