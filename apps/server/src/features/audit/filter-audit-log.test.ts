import type { AuditEntry } from '@caseward/contract/audit'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useTestServer()
let project: Awaited<ReturnType<typeof makeProject>>
let member: Awaited<ReturnType<typeof makeMember>>
/** All entries of the project, the newest first. */
let entries: AuditEntry[]

const list = async (query = '') => {
  const path = `/v1/projects/${project.id}/audit-log${query}`
  const { status, body } = await server.request<{ data: AuditEntry[]; meta: { next_after: string | null } }>(
    'GET',
    path,
    { token: project.admin.token },
  )
  expect(status).toBe(200)
  return body
}
const listIds = async (query: string) => (await list(query)).data.map(({ id }) => id)
const getIds = (isIncluded: (entry: AuditEntry) => boolean) => entries.filter(isIncluded).map(({ id }) => id)

beforeAll(async () => {
  project = await makeProject(server)
  member = await makeMember(server, project.id, 'admin')
  for (const { token } of [project.admin, member, project.admin, member]) {
    const { id } = await makeTestCase(server, project)
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/${id}`, { token })
    // Entries of the same millisecond would make the boundaries of the time filters ambiguous.
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  entries = (await list('?per_page=100')).data
})

describe('GET /v1/projects/:project_id/audit-log', () => {
  it('returns the newest entries first, by pages', async () => {
    const ids: string[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(`?per_page=2${after === null ? '' : `&after=${after}`}`)
      ids.push(...page.data.map(({ id }) => id))
      after = page.meta.next_after
    } while (after !== null)
    expect(ids).toEqual(entries.map(({ id }) => id))
    expect(ids).toHaveLength(5)
    expect(ids.toSorted().toReversed()).toEqual(ids)
  })

  it('filters by actor and action', async () => {
    expect(await listIds(`?actor=${member.id}`)).toEqual(getIds(({ actor }) => actor.id === member.id))
    expect(await listIds('?action=project.create')).toEqual(getIds(({ action }) => action === 'project.create'))
    expect(await listIds(`?actor=${member.id}&action=project.create`)).toEqual([])
    expect(await listIds(`?actor=${member.id}&action=test_case.delete`)).toHaveLength(2)
  })

  it('filters by time: from is included, to is not', async () => {
    const [at = '', laterAt = ''] = [entries[2]?.at, entries[1]?.at]
    expect(await listIds(`?from=${at}`)).toEqual(getIds((entry) => entry.at >= at))
    expect(await listIds(`?to=${at}`)).toEqual(getIds((entry) => entry.at < at))
    // Two can be of the same millisecond.
    expect(await listIds(`?from=${at}&to=${laterAt}`)).toEqual(getIds((entry) => entry.at >= at && entry.at < laterAt))
    expect(await listIds('?from=0100-01-01&to=9999-12-31')).toHaveLength(5)
    expect(await listIds('?to=1969-07-20')).toEqual([])
  })

  it.each(['actor=x', 'action=x', 'from=x', 'to=31.12.2026', 'after=x', 'format=xml', 'per_page=101'])(
    'returns 400 for ?%s',
    async (query) => {
      const path = `/v1/projects/${project.id}/audit-log?${query}`
      const { errors } = await server.expectProblem(400, 'GET', path, { token: project.admin.token })
      expect(errors?.map((error) => error.path)).toEqual([`/${query.split('=')[0]}`])
    },
  )
})
