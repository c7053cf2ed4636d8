import type { MergedOptions } from '@caseward/contract/field-merges'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const request = (method: string, path: string, body?: object) =>
    server.request<{ code: string }>(method, `/v1/projects/${project.id}${path}`, { token, ...(body && { body }) })
  const send = async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> => {
    const response = await server.request<{ data: T }>(method, `/v1/projects/${project.id}${path}`, {
      token,
      ...(body && { body }),
    })
    expect([path, response.status, response.body]).toEqual([path, expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body.data
  }
  const options = ['blocker', 'blocking', 'minor'].map((key) => ({ key, label: `${key}!` }))
  return {
    project,
    request,
    send,
    options,
    getFields: async (number: number) => (await send<TestCase>('GET', `/test-cases/WEB-${number}`)).fields,
    merge: (id: string, body: object) => send<MergedOptions>('POST', `/fields/${id}/options/merge`, body),
  }
}

describe('POST …/options/merge', () => {
  it('changes select values as versions, with archived test cases, retires the option and the default, and can be undone', async () => {
    const { project, send, options, getFields, merge } = await makeScenario()
    const field = await makeField(server, project, { key: 'severity', type: 'select', options, default: 'blocking' })
    for (const severity of ['blocker', 'blocking', 'blocking', 'minor']) {
      await send('POST', '/test-cases', { title: 'x', fields: { severity } })
    }
    await send('PATCH', '/test-cases/WEB-3', { archived: true })
    const body = { from: 'blocking', into: 'blocker' }
    const merged = await merge(field.id, body)
    expect(merged).toMatchObject({
      updated: 2,
      remaining: 0,
      before: [
        { id: 'WEB-2', fields: { severity: 'blocking' } },
        { id: 'WEB-3', fields: { severity: 'blocking' } },
      ],
      field: { default: 'blocker', options: [{ is_retired: false }, { key: 'blocking', is_retired: true }, {}] },
    })
    expect(await Promise.all([1, 2, 3, 4].map(getFields))).toEqual(
      ['blocker', 'blocker', 'blocker', 'minor'].map((severity) => ({ severity })),
    )
    const [version] = await send<object[]>('GET', '/test-cases/WEB-2/versions')
    expect(version).toMatchObject({ version: 2, via: 'bulk', summary: 'Merged “blocking!” of Risk into “blocker!”' })
    const counted = await send<object[]>('GET', '/test-cases?field.severity=blocker&archived=any')
    expect(counted).toHaveLength(3)
    const [entry] = await send<object[]>('GET', '/audit-log')
    expect(entry).toMatchObject({
      action: 'field.merge_options',
      detail: { key: 'severity', ...body, test_case_count: 2 },
    })
    // Repeated, it changes nothing.
    expect(await merge(field.id, body)).toMatchObject({ updated: 0, before: [] })
    expect((await send<object[]>('GET', '/audit-log'))[0]).toEqual(entry)

    await send('PATCH', `/fields/${field.id}`, {
      options: options.map((option) => ({ ...option, is_retired: false })),
      default: 'blocking',
    })
    await send('POST', '/test-cases/bulk-update', { restore: merged.before })
    expect(await Promise.all([1, 2, 3, 4].map(getFields))).toEqual(
      ['blocker', 'blocking', 'blocking', 'minor'].map((severity) => ({ severity })),
    )
  })

  it('replaces an option in lists once, in their order, also where a single value became a list', async () => {
    const { project, send, options, getFields, merge } = await makeScenario()
    const field = await makeField(server, project, { key: 'severity', type: 'select', options })
    await send('POST', '/test-cases', { title: 'x', fields: { severity: 'minor' } })
    await send('PATCH', `/fields/${field.id}`, { type: 'multi_select' })
    for (const severity of [['blocking', 'minor'], ['minor', 'blocker'], ['blocking']]) {
      await send('POST', '/test-cases', { title: 'x', fields: { severity } })
    }
    expect(await merge(field.id, { from: 'minor', into: 'blocker' })).toMatchObject({ updated: 3 })
    expect(await Promise.all([1, 2, 3, 4].map(getFields))).toEqual(
      [['blocker'], ['blocker', 'blocking'], ['blocker'], ['blocking']].map((severity) => ({ severity })),
    )
  })

  it('is refused for other fields, unknown, retired and equal options', async () => {
    const { project, request, send, options } = await makeScenario()
    const field = await makeField(server, project, { key: 'severity', type: 'select', options })
    const number = await makeField(server, project, { key: 'risk' })
    const ofRuns = await makeField(server, project, { key: 'kind', subject: 'run', type: 'select', options })
    const retired = options.map((option) => ({ ...option, is_retired: option.key === 'minor' }))
    await send('PATCH', `/fields/${field.id}`, { options: retired })
    const refused = async (id: string, from: string, into: string) => {
      const { status, body } = await request('POST', `/fields/${id}/options/merge`, { from, into })
      return [status, body.code]
    }
    expect(await refused(field.id, 'x', 'blocker')).toEqual([400, 'unknown_option'])
    expect(await refused(field.id, 'blocker', 'x')).toEqual([400, 'unknown_option'])
    expect(await refused(field.id, 'blocker', 'minor')).toEqual([400, 'unknown_option'])
    expect(await refused(field.id, 'blocker', 'blocker')).toEqual([400, 'invalid_request'])
    for (const { id } of [number, ofRuns])
      expect(await refused(id, 'blocker', 'blocking')).toEqual([422, 'cannot_merge'])
    expect(await refused(project.id, 'blocker', 'blocking')).toEqual([404, 'not_found'])
  })
})
