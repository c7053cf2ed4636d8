import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const server = useSharedServer()

it('slow requests of one user with keys end with 503 after 10 seconds, and can be sent again', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  const post = (key: string) =>
    server.request('POST', `/v1/projects/${project.id}/folders`, {
      token,
      body: { name: key },
      headers: { 'idempotency-key': key },
    })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const blocking = server.db.transaction().execute(async (tx) => {
    await sql`select from projects where id = ${project.id} for update`.execute(tx)
    await released
  })
  const startedAt = performance.now()
  const slow = Array.from({ length: 8 }, (_, index) => post(`key ${index}`))
  const refused = await Promise.race(slow)
  expect(performance.now() - startedAt).toBeGreaterThan(9900)
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    503,
    expect.objectContaining({ code: 'server_busy' }),
    '5',
  ])
  release()
  await blocking
  const statuses = (await Promise.all(slow)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  const again = await Promise.all(slow.map((_, index) => post(`key ${index}`)))
  expect(again.map(({ status }) => status)).toEqual(slow.map(() => 201))
})
