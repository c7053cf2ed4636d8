import type { MergedOptions } from '@caseward/contract/field-merges'
import { makeField, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('POST …/options/merge', () => {
  it('changes 10,000 test cases with a request, and says how many are left', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const path = `/v1/projects/${project.id}`
    const options = ['blocking', 'minor'].map((key) => ({ key, label: key }))
    const field = await makeField(server, project, { key: 'severity', type: 'select', options })
    await sql`
      insert into test_cases (project_id, number, title, fields)
      select ${project.id}::uuid, n, 'x', '{"1": 1}' from generate_series(1, 10001) n`.execute(server.db)
    await sql`
      insert into case_field_values (project_id, field, value, number)
      select ${project.id}::uuid, 1, 1, n from generate_series(1, 10001) n`.execute(server.db)
    await sql`
      update projects set test_case_count = 10001, last_test_case_number = 10001 where id = ${project.id}`.execute(
      server.db,
    )
    const merge = async () => {
      const request = { token, body: { from: 'blocking', into: 'minor' } }
      const url = `${path}/fields/${field.id}/options/merge`
      return (await server.request<{ data: MergedOptions }>('POST', url, request)).body.data
    }
    expect(await merge()).toMatchObject({ updated: 10_000, remaining: 1 })
    expect(await merge()).toMatchObject({ updated: 1, remaining: 0 })
    const left = await server.request('GET', `${path}/test-cases?field.severity=blocking`, { token })
    expect(left.body).toMatchObject({ data: [] })
  })
})
