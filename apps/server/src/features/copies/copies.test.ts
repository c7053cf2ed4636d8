import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { formatSteps, makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeCopyScenario, severity } from '@caseward/test-support/copy-scenario'

const server = useSharedServer()

describe('POST …/copies', () => {
  it('copies what a test case says with its requirements and files, and neither keys nor other links, comments and versions', async () => {
    const { project, copy, read, send, attach, listFiles, makeField: addField } = await makeCopyScenario(server)
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
    const { project, copy, read, send, request } = await makeCopyScenario(server)
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
})

describe('POST …/bulk-copy', () => {
  it('makes one copy of each test case, where each of them is, or none', async () => {
    const { project, request, send } = await makeCopyScenario(server)
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
    const { project, request } = await makeCopyScenario(server)
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
