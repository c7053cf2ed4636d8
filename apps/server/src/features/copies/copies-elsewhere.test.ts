import type { CreateFieldBody } from '@caseward/contract/fields'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeCopyScenario, severity } from '@caseward/test-support/copy-scenario'

const server = useSharedServer()

describe('POST …/copies into another project', () => {
  it('copies into another project by keys, and says what has no place there', async () => {
    const { project, other, copy, read, send, attach, listFiles, makeField: addField } = await makeCopyScenario(server)
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
    const { project, other, copy, request, read, makeField: addField } = await makeCopyScenario(server)
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
    const { project, other, request } = await makeCopyScenario(server)
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
