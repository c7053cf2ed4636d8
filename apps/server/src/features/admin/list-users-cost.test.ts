import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeUser } from '@caseward/test-support/users'

const server = useTestServer()
let token: string

const USERS = 20_000
/** A page has 20 users; indexes are read for some more. */
const MAX_ROWS = 200

beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
  await makeUser(server, { email: 'zzyzx@desert.test' })
  await sql`
    insert into users (id, email, name)
    select uuid_v7_in_batch(now(), n), 'user' || n || '@example.test', 'User ' || n
    from generate_series(1, ${USERS}::int) n`.execute(server.db)
  await sql`update users set disabled_at = now() where email = 'user500@example.test'`.execute(server.db)
  await sql`analyze users`.execute(server.db)
})

const listUsers = async (query: string) => {
  const { status, body } = await server.request<{ data: { id: string; email: string }[] }>(
    'GET',
    `/v1/admin/users${query}`,
    { token },
  )
  expect(status).toBe(200)
  return body.data
}

describe('GET /v1/admin/users with 20,000 users', () => {
  it.each([
    ['the first page', ''],
    ['disabled users', '?status=disabled'],
    ['a frequent word', '?q=example'],
    ['a rare word', '?q=zzyzx'],
    ['the start of a rare word', '?q=zz'],
    ['a frequent word of active users', '?q=user&status=active'],
  ])('reads few rows for %s', async (_, query) => {
    expect((await listUsers(query)).length).toBeGreaterThan(0)
    expect(await countRowsRead(server, 'users', () => listUsers(query))).toBeLessThan(MAX_ROWS)
  })

  it('reads few rows for a page in the middle', async () => {
    const middle = server.db.selectFrom('users').select('id').where('email', '=', 'user10000@example.test')
    const { id } = await middle.executeTakeFirstOrThrow()
    const query = `?after=${id}`
    expect((await listUsers(query))[0]?.email).toBe('user9999@example.test')
    expect(await countRowsRead(server, 'users', () => listUsers(query))).toBeLessThan(MAX_ROWS)
  })
})
