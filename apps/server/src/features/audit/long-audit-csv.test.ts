import { MAX_AUDIT_CSV_ROWS } from '@caseward/contract/audit'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const server = useTestServer()

it('the audit log as CSV has at most 100,000 rows', async () => {
  const { token } = await makeInstanceAdmin(server)
  await sql`
    insert into audit_log (id, at, action, actor_kind, actor_name, subject_kind, subject_name)
    select uuid_v7_in_batch(now(), n), now(), 'folder.delete', 'system', 'System', 'instance', 'Entry ' || n
    from generate_series(1, ${MAX_AUDIT_CSV_ROWS + 1}::int) n`.execute(server.db)
  const { body } = await server.request<string>('GET', '/v1/admin/audit-log?format=csv&action=folder.delete', { token })
  expect(body.split('\r\n').slice(0, -1)).toHaveLength(MAX_AUDIT_CSV_ROWS + 1)
})
