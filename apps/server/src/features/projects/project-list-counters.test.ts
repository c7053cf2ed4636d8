import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

const server = useTestServer()

const step = fc.record({
  verb: fc.constantFrom('create', 'rename', 'delete', 'invite', 'remove', 'delete user'),
  user: fc.nat(2),
  project: fc.nat(5),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type User = Awaited<ReturnType<typeof makeUser>>

interface List {
  data: { id: string; updated_at: string }[]
  meta: { total: number }
}
const listProjects = async (token: string) =>
  (await server.request<List>('GET', '/v1/projects?per_page=100', { token })).body

/** Sends the requests of a step, on one of the first user's projects. Returns the statuses. */
async function perform(users: readonly User[], { verb, user, project }: Step): Promise<number[]> {
  const [owner, target] = [users[0], users[user]]
  if (owner === undefined || target === undefined) return []
  const send = async (method: string, path: string, token: string, body?: object) =>
    (await server.request(method, path, { token, body })).status
  if (verb === 'create') {
    return [await send('POST', '/v1/projects', target.token, { name: 'Web shop', prefix: 'WEB' })]
  }
  if (verb === 'delete user') {
    // There is no request for this. Users that members are deleted with must not break the counters of others.
    const { token, id } = await makeUser(server)
    await makeProject(server, { token })
    await sql`delete from users where id = ${id}`.execute(server.db)
    return []
  }
  const { data } = await listProjects(owner.token)
  const id = data[project % Math.max(1, data.length)]?.id
  if (id === undefined) return []
  const path = `/v1/projects/${id}`
  if (verb === 'rename') return [await send('PATCH', path, owner.token, { name: `Web shop ${project}` })]
  if (verb === 'delete') return [await send('DELETE', path, owner.token)]
  if (verb === 'remove') return [await send('DELETE', `${path}/members/${target.id}`, owner.token)]
  const body = { email: target.email, role: 'admin' }
  const { status, body: invited } = await server.request<{ join_url?: string }>('POST', `${path}/members/invite`, {
    token: owner.token,
    body,
  })
  const secret = invited.join_url?.split('/').at(-1)
  if (secret === undefined) return [status]
  return [status, await send('POST', `/v1/invitations/${secret}/accept`, target.token)]
}

/** Selects the users whose counter, and the memberships whose time, differ from what they are copied from. */
async function findWrongCopies() {
  const { rows } = await sql`
    select 'count of ' || email as name, project_count::text as stored, count(user_id)::text as counted
    from users left join memberships on user_id = users.id group by users.id having project_count <> count(user_id)
    union all
    select 'time of ' || name, project_updated_at::text, p.updated_at::text
    from memberships join projects p on p.id = project_id where project_updated_at <> p.updated_at`.execute(server.db)
  return rows
}

// 429: the second invitation to the same address within five minutes.
const allowed = new Set([200, 201, 204, 403, 404, 409, 410, 422, 429])

async function performAndCompare(steps: Step[], isConcurrent: boolean): Promise<void> {
  const users = [await makeUser(server), await makeUser(server), await makeUser(server)]
  for (const verb of ['create', 'create', 'create'] as const) await perform(users, { verb, user: 0, project: 0 })
  const statuses = isConcurrent ? await Promise.all(steps.map((someStep) => perform(users, someStep))) : []
  if (!isConcurrent) for (const someStep of steps) statuses.push(await perform(users, someStep))
  expect(statuses.flat().filter((status) => !allowed.has(status))).toEqual([])
  expect(await findWrongCopies()).toEqual([])
  for (const { token } of users) {
    const { data, meta } = await listProjects(token)
    expect(meta.total).toBe(data.length)
    expect(data).toEqual(data.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at) || b.id.localeCompare(a.id)))
  }
}

describe('the project counter of users and the times in memberships', () => {
  it('equal a recount after any sequence of requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), (steps) => performAndCompare(steps, false)),
      { numRuns: 6 },
    )
  })

  it('equal a recount after any requests at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), (steps) => performAndCompare(steps, true)),
      { numRuns: 6 },
    )
  })
})

describe('GET /v1/projects', () => {
  it('reads only the projects of the page when the caller has 3,000', async () => {
    const user = await makeUser(server)
    const { id } = await makeProject(server, { token: user.token })
    await sql`
      with project as (
        insert into projects (id, name, prefix, member_count, updated_at)
        select gen_random_uuid(), 'Other', 'OTH', 1, now() - n * interval '1 minute' from generate_series(2, 3000) n
        returning id
      )
      insert into memberships (project_id, user_id, role) select id, ${user.id}, 'admin' from project`.execute(
      server.db,
    )
    await sql`vacuum analyze projects, memberships, users`.execute(server.db)
    let list: List | undefined
    const rowsRead = await countRowsRead(server, 'projects', async () => {
      const response = await server.request<List>('GET', '/v1/projects?per_page=20', { token: user.token })
      list = response.body
    })
    expect(list?.meta.total).toBe(3000)
    expect([list?.data.length, list?.data[0]?.id]).toEqual([20, id])
    // Planning reads a few index entries, too.
    expect(rowsRead).toBeLessThanOrEqual(40)
  })
})
