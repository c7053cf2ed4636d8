import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { Copies, CopyTestCaseBody } from '@caseward/contract/copies'
import type { CreateFieldBody } from '@caseward/contract/fields'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeField, makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { formatSteps, makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useTestServer()

type Project = Awaited<ReturnType<typeof makeProject>>
interface Problem {
  code: string
  missing?: object
}

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const other = await makeProject(server, { name: 'Back office', prefix: 'BO', token })
  const request = (method: string, path: string, { id }: { id: string } = project, body?: object, as = token) =>
    server.request<{ data: Copies } & Problem>(method, `/v1/projects/${id}${path}`, {
      token: as,
      ...(body && { body }),
    })
  const send = async <T = { id: string }>(
    method: string,
    path: string,
    of: { id: string } = project,
    body?: object,
  ) => {
    const response = await server.request<{ data: T }>(method, `/v1/projects/${of.id}${path}`, {
      token,
      ...(body && { body }),
    })
    expect([path, response.status, response.body]).toEqual([path, expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body.data
  }
  return {
    project,
    other,
    token,
    request,
    send,
    copy: (id: string, body: CopyTestCaseBody = {}) => send<Copies>('POST', `/test-cases/${id}/copies`, project, body),
    read: (id: string, of: { id: string } = project) => send<TestCase>('GET', `/test-cases/${id}`, of),
    attach: async (query: string, content: string) => {
      const response = await server.request<{ data: Attachment }>(
        'POST',
        `/v1/projects/${project.id}/test-cases/WEB-1/attachments?${query}`,
        { token, body: new TextEncoder().encode(content), headers: { 'content-type': 'text/plain' } },
      )
      expect(response.status).toBe(201)
      return response.body.data
    },
    listFiles: (id: string, of: { id: string } = project) =>
      send<Attachment[]>('GET', `/test-cases/${id}/attachments`, of),
    makeField: (of: Project, fields: Partial<CreateFieldBody>) => makeField(server, of, fields),
  }
}

const severity = (...keys: string[]): Partial<CreateFieldBody> => ({
  key: 'severity',
  type: 'select',
  options: keys.map((key) => ({ key, label: key })),
})

describe('POST …/copies', () => {
  it('copies what a test case says with its requirements and files, and neither keys nor other links, comments and versions', async () => {
    const { project, copy, read, send, attach, listFiles, makeField: addField } = await makeScenario()
    const folder = await makeFolder(server, project, { name: 'Checkout' })
    const member = await makeMember(server, project.id, 'member')
    await addField(project, severity('blocker', 'minor'))
    const shared = await makeSharedStep(server, project, { title: 'Sign in', steps: [{ action: 'Sign in' }] })
    const content = {
      title: 'Pays by card',
      folder_id: folder.id,
      priority: 'critical',
      type: 'smoke',
      template: 'steps',
      precondition: 'A basket',
      expected_result: 'An order',
      tags: ['payment', 'card'],
      estimate: 90,
      owner_id: member.id,
      fields: { severity: 'minor' },
    }
    const steps = [{ action: 'Open' }, { shared_step_id: shared.id }, { action: 'Pay', expected: 'Paid' }]
    await send('POST', '/test-cases', project, { ...content, steps, automation_keys: ['card'] })
    await send('PATCH', '/test-cases/WEB-1', project, { priority: 'high' })
    await send('PATCH', '/test-cases/WEB-1', project, { priority: 'critical' })
    await send('POST', '/test-cases/WEB-1/links', project, { url: 'https://acme.test/REQ-1', label: 'REQ-1' })
    await send('POST', '/test-cases/WEB-1/links', project, { url: 'https://acme.test/BUG-1', kind: 'defect' })
    await send('POST', '/test-cases/WEB-1/comments', project, { body: 'Twice' })
    await attach('name=basket.txt', 'a basket')
    await attach('name=pay.txt&step=3', 'a payment')

    const copied = await copy('WEB-1')
    expect(copied).toEqual({
      created: 1,
      project_id: project.id,
      test_cases: [{ id: 'WEB-2', title: 'Pays by card', copy_of: 'WEB-1' }],
      skipped: [],
    })
    const second = await read('WEB-2')
    expect(second).toMatchObject({ ...content, automation_keys: [], version: 1, created_by: project.admin.id })
    expect(formatSteps(second)).toBe('Open | Sign in v1: Sign in | Pay')
    expect(await send('GET', `/shared-steps/${shared.id}`)).toMatchObject({ use_count: 2 })
    expect(await send('GET', '/test-cases/WEB-2/links')).toMatchObject([{ label: 'REQ-1', kind: 'requirement' }])
    const files = await listFiles('WEB-2')
    expect(files.map(({ name, step }) => [name, step])).toEqual([
      ['basket.txt', null],
      ['pay.txt', 3],
    ])
    expect(files.map(({ file_id: id }) => id)).toEqual((await listFiles('WEB-1')).map(({ file_id: id }) => id))
    expect(await send('GET', '/test-cases/WEB-2/comments')).toEqual([])
    // Equal title and steps are found as duplicates.
    expect(await send('GET', '/duplicates')).toMatchObject([{ count: 2, test_cases: [{ content: 1 }, { content: 1 }] }])
    await expectCorrectCounters(server, project.id)
    const { rows } = await sql`select test_case_count as n from folders where id = ${folder.id}`.execute(server.db)
    expect(rows).toEqual([{ n: 2 }])
  })

  it('numbers several copies and shortens a title for it, puts them where the request says, and leaves out who has left', async () => {
    const { project, copy, read, send, request } = await makeScenario()
    const folder = await makeFolder(server, project)
    const member = await makeMember(server, project.id, 'member')
    const title = `${'ü'.repeat(254)}x`
    await makeTestCase(server, project, { title, owner_id: member.id, tags: ['a'] })
    await send('PATCH', '/test-cases/WEB-1', project, { archived: true })
    await sql`update memberships set role = 'viewer' where user_id = ${member.id}`.execute(server.db)
    const copied = await copy('WEB-1', { count: 50, folder_id: folder.id })
    expect(copied.created).toBe(50)
    expect(copied.skipped).toEqual([
      { test_case_id: 'WEB-1', field: 'owner_id', reason: 'not_a_member' },
      { test_case_id: 'WEB-1', field: 'title', reason: 'shortened' },
    ])
    const titles = copied.test_cases.map((item) => item.title)
    expect([titles[0], titles[49]]).toEqual([`${'ü'.repeat(250)}… (1)`, `${'ü'.repeat(249)}… (50)`])
    expect(await read('WEB-51')).toMatchObject({
      folder_id: folder.id,
      owner_id: null,
      archived_at: null,
      tags: ['a'],
      title: titles[49],
    })
    await expectCorrectCounters(server, project.id)

    const refused = (body: object) => request('POST', '/test-cases/WEB-1/copies', project, body)
    for (const count of [0, 51, 1.5]) expect((await refused({ count })).status).toBe(400)
    const unknown = await server.expectProblem(400, 'POST', `/v1/projects/${project.id}/test-cases/WEB-1/copies`, {
      token: project.admin.token,
      body: { folder_id: 'x' },
    })
    expect(getErrorPaths(unknown)).toEqual(['/folder_id'])
    expect((await request('POST', '/test-cases/WEB-99/copies', project, {})).status).toBe(404)
    // Nothing was stored.
    expect((await copy('WEB-1')).test_cases).toMatchObject([{ id: 'WEB-52' }])
  })

  it('copies into another project by keys, and says what has no place there', async () => {
    const { project, other, copy, read, send, attach, listFiles, makeField: addField } = await makeScenario()
    const member = await makeMember(server, project.id, 'member')
    const text = (key: string): Partial<CreateFieldBody> => ({ key, type: 'text' })
    const browsers = (...keys: string[]) => ({ ...severity(...keys), key: 'browsers', type: 'multi_select' as const })
    for (const field of [
      severity('blocker', 'minor'),
      browsers('chrome', 'opera', 'safari'),
      text('only_here'),
      text('other_type'),
      text('gone'),
      { key: 'risk', max: 10 },
      { key: 'tester', type: 'user' as const },
    ]) {
      await addField(project, field)
    }
    // Other numbers of fields and options, so that only keys can match.
    const gone = await addField(other, text('gone'))
    await send('POST', `/fields/${gone.id}/retire`, other)
    for (const field of [
      { key: 'team', default: 4 },
      { key: 'risk', max: 5 },
      browsers('safari', 'edge', 'chrome'),
      { key: 'other_type', type: 'number' as const },
      severity('minor', 'major', 'blocker'),
      { key: 'tester', type: 'user' as const },
    ]) {
      await addField(other, field)
    }
    const shared = await makeSharedStep(server, project, { title: 'Sign in', steps: [{ action: 'Sign in' }] })
    await send('POST', '/test-cases', project, {
      title: 'Pays',
      folder_id: (await makeFolder(server, project)).id,
      steps: [{ shared_step_id: shared.id }, { action: 'Pay' }],
      owner_id: member.id,
      automation_key: 'pays',
      fields: {
        severity: 'blocker',
        browsers: ['chrome', 'opera', 'safari'],
        only_here: 'x',
        other_type: 'x',
        gone: 'x',
        risk: 7,
        tester: member.id,
      },
    })
    await send('POST', '/test-cases/WEB-1/links', project, { url: 'https://acme.test/REQ-1' })
    await attach('name=kept.txt&step=2', 'kept')
    await attach('name=lost.txt', 'lost')
    await sql`update files set is_lost = true where digest = sha256('lost')`.execute(server.db)

    const copied = await copy('WEB-1', { count: 2, project_id: other.id })
    expect(copied).toMatchObject({
      project_id: other.id,
      test_cases: [{ id: 'BO-1', title: 'Pays (1)' }, { id: 'BO-2' }],
    })
    const skipped = copied.skipped.map(({ test_case_id: id, field, reason, value }) => [id, field, reason, value])
    expect(skipped).toEqual([
      ['WEB-1', 'fields.browsers', 'not_found', 'opera'],
      ['WEB-1', 'fields.only_here', 'not_found', undefined],
      ['WEB-1', 'fields.other_type', 'other_type', undefined],
      ['WEB-1', 'fields.gone', 'retired', undefined],
      ['WEB-1', 'fields.risk', 'invalid', undefined],
      ['WEB-1', 'fields.tester', 'not_a_member', undefined],
      ['WEB-1', 'owner_id', 'not_a_member', undefined],
      ['WEB-1', 'step_groups', 'other_project', undefined],
      ['WEB-1', 'attachments', 'lost', 'lost.txt'],
    ])
    const second = await read('BO-2', other)
    expect(second).toMatchObject({
      folder_id: null,
      owner_id: null,
      automation_keys: [],
      fields: { team: 4, browsers: ['safari', 'chrome'], severity: 'blocker' },
      steps: [{ action: 'Sign in' }, { action: 'Pay' }],
    })
    expect(second).not.toHaveProperty('step_groups')
    expect(await send('GET', '/test-cases/BO-2/links', other)).toMatchObject([{ url: 'https://acme.test/REQ-1' }])
    // The content is one of the other project, and is stored once there.
    const contents = async () => {
      const files = [...(await listFiles('BO-1', other)), ...(await listFiles('BO-2', other))]
      return await Promise.all(
        files.map(async ({ url, step, file_id: id }) => {
          const response = await fetch(`${server.url}${url}`, {
            headers: { authorization: `Bearer ${project.admin.token}` },
          })
          return [await response.text(), step, id === files[0]?.file_id]
        }),
      )
    }
    expect(await contents()).toEqual([
      ['kept', 2, true],
      ['kept', 2, true],
    ])
    await copy('WEB-1', { project_id: other.id })
    expect(await countFiles(other)).toEqual([{ files: 1, usage: 1, begun: 0 }])
    await expectCorrectCounters(server, other.id)
  })

  it('is refused without what a new test case must have, and names it', async () => {
    const { project, other, copy, request, read, makeField: addField } = await makeScenario()
    await makeTestCase(server, project)
    await addField(other, { key: 'team', is_required: true })
    const into = { project_id: other.id }
    const refused = await request('POST', '/test-cases/WEB-1/copies', project, into)
    expect([refused.status, refused.body.code, refused.body.missing]).toEqual([
      422,
      'required_fields_missing',
      [{ test_case_id: 'WEB-1', fields: ['team'] }],
    ])
    expect((await request('GET', '/test-cases/BO-1', other)).status).toBe(404)
    // In its own project a default is given only where a value is required.
    await addField(project, { key: 'team', is_required: true, default: 3 })
    await addField(project, { key: 'chance', default: 1 })
    await copy('WEB-1')
    expect((await read('WEB-2')).fields).toEqual({ team: 3 })
    expect((await copy('WEB-2', into)).test_cases).toMatchObject([{ id: 'BO-1' }])
    expect((await read('BO-1', other)).fields).toEqual({ team: 3 })
  })

  it('needs the permission in both projects: 404 for one that the caller cannot see, 403 for a viewer', async () => {
    const { project, other, request } = await makeScenario()
    await makeTestCase(server, project)
    const member = await makeMember(server, project.id, 'member')
    const path = '/test-cases/WEB-1/copies'
    const post = async (body: object, token = member.token) => {
      const { status, body: answer } = await request('POST', path, project, body, token)
      return [status, answer.code]
    }
    const foreign = await makeProject(server, { prefix: 'SEC' })
    for (const id of [foreign.id, other.id, '019aa5b1-2d3e-7f40-8a51-6b7c8d9e0f11', 'x']) {
      expect(await post({ project_id: id })).toEqual([404, 'not_found'])
    }
    const reader = await makeMember(server, other.id, 'viewer')
    await sql`
      insert into memberships (project_id, user_id, role) values (${project.id}, ${reader.id}, 'member')`.execute(
      server.db,
    )
    expect(await post({ project_id: other.id }, reader.token)).toEqual([403, 'role_required'])
    const viewer = await makeMember(server, project.id, 'viewer')
    expect((await request('POST', path, project, {}, viewer.token)).status).toBe(403)
    expect(await countCases(project)).toBe(1)
    expect(await countCases(other)).toBe(0)
  })
})

describe('POST …/bulk-copy', () => {
  it('makes one copy of each test case, where each of them is, or none', async () => {
    const { project, request, send } = await makeScenario()
    const folder = await makeFolder(server, project)
    await makeTestCase(server, project, { title: 'First', folder_id: folder.id })
    await makeTestCase(server, project, { title: 'Second' })
    const bulk = (ids: string[]) => request('POST', '/test-cases/bulk-copy', project, { test_case_ids: ids })
    const refused = await bulk(['WEB-2', 'WEB-9', 'x'])
    expect([refused.status, getErrorPaths(refused.body as never)]).toEqual([
      400,
      ['/test_case_ids/1', '/test_case_ids/2'],
    ])
    const { body } = await bulk(['WEB-2', 'WEB-1', 'WEB-2'])
    expect(body.data.test_cases).toEqual([
      { id: 'WEB-3', title: 'Second', copy_of: 'WEB-2' },
      { id: 'WEB-4', title: 'First', copy_of: 'WEB-1' },
    ])
    expect(await send('GET', '/test-cases/WEB-4')).toMatchObject({ folder_id: folder.id })
    expect((await bulk([])).status).toBe(400)
    expect((await bulk(Array.from({ length: 101 }, () => 'WEB-1'))).status).toBe(400)
    await expectCorrectCounters(server, project.id)
  })

  it('refuses more text than a request may take', async () => {
    const { project, request } = await makeScenario()
    const steps = Array.from({ length: 100 }, (_, index) => ({
      position: index + 1,
      action: 'x'.repeat(4000),
      expected: '',
    }))
    await makeTestCase(server, project, { steps })
    const many = await request('POST', '/test-cases/WEB-1/copies', project, { count: 50 })
    expect([many.status, many.body.code]).toEqual([422, 'copies_too_large'])
    expect((await request('POST', '/test-cases/WEB-1/copies', project, { count: 20 })).status).toBe(201)
  })
})

const countCases = async ({ id }: { id: string }): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from test_cases where project_id = ${id}`.execute(server.db)
  return rows[0]?.n ?? 0
}

/** Files of a project, those that its usage counts, and contents that were begun and have no file. */
const countFiles = async ({ id }: { id: string }) => {
  const { rows } = await sql`
    select (select count(*)::int from files where project_id = ${id}) as files,
      (select sum(file_count)::int from file_usage where project_id = ${id}) as usage,
      (select count(*)::int from file_writes where name like ${`${id}/%`}) as begun`.execute(server.db)
  return rows
}
