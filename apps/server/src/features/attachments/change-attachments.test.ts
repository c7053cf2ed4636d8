import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { AuditEntry } from '@caseward/contract/audit'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()

let project: Awaited<ReturnType<typeof makeProject>>
let member: { id: string; token: string }
let ci: string
let testCase: string
let run: string

beforeAll(async () => {
  project = await makeProject(server)
  member = await makeMember(server, project.id, 'member')
  ci = await makeCiToken(server, project)
  testCase = `/v1/projects/${project.id}/test-cases/${(await makeTestCase(server, project)).id}`
  run = `/v1/runs/${(await makeRun(server, project)).id}`
})

async function attach(place: string, token: string, text = `text ${Math.random()}`): Promise<Attachment> {
  const { status, body } = await server.request<{ data: Attachment }>('POST', `${place}/attachments?name=a.txt`, {
    token,
    body: Buffer.from(text),
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}

const getPath = ({ id }: Attachment) => `/v1/projects/${project.id}/attachments/${id}`
const rename = (attachment: Attachment, token: string) =>
  server.request('PATCH', getPath(attachment), { token, body: { name: ' new\nname ' } })

describe('PATCH /v1/projects/:project_id/attachments/:attachment_id', () => {
  it('renames an attachment and leaves others of the same file as they are', async () => {
    const first = await attach(run, member.token, 'shared')
    const second = await attach(testCase, member.token, 'shared')
    const { status, body } = await rename(second, member.token)
    expect([status, body]).toMatchObject([200, { data: { id: second.id, name: 'new name', file_id: first.file_id } }])
    expect(body['data']).toMatchObject({ url: expect.stringMatching(/name=new%20name$/) as unknown })
    const list = await server.request<{ data: Attachment[] }>('GET', `${run}/attachments`, { token: member.token })
    expect(list.body.data.find(({ id }) => id === first.id)?.name).toBe('a.txt')
  })

  it('returns 403 to a member for what another user has attached, and not to an admin', async () => {
    const ofAdmin = await attach(run, project.admin.token)
    expect((await server.expectProblem(403, 'DELETE', getPath(ofAdmin), { token: member.token })).code).toBe(
      'not_yours',
    )
    const ofMember = await attach(run, member.token)
    expect((await rename(ofMember, project.admin.token)).status).toBe(200)
  })

  it('lets members and CI tokens change what CI tokens have attached, and CI tokens nothing else', async () => {
    expect((await rename(await attach(run, ci), member.token)).status).toBe(200)
    expect((await rename(await attach(run, ci), ci)).status).toBe(200)
    const ofMember = await attach(run, member.token)
    expect((await server.expectProblem(403, 'DELETE', getPath(ofMember), { token: ci })).code).toBe('not_yours')
  })

  it('returns 404 for an unknown attachment, and for one of another project', async () => {
    const other = await makeProject(server)
    const { id } = await attach(run, member.token)
    const path = `/v1/projects/${other.id}/attachments`
    for (const unknown of [id, 'x']) {
      await server.expectProblem(404, 'DELETE', `${path}/${unknown}`, { token: other.admin.token })
    }
  })
})

describe('DELETE /v1/projects/:project_id/attachments/:attachment_id', () => {
  it('deletes the attachment, lets a sweep look at its file, and records who did it', async () => {
    const attachment = await attach(testCase, member.token)
    const { status } = await server.request('DELETE', getPath(attachment), { token: member.token })
    expect(status).toBe(204)
    await server.expectProblem(404, 'DELETE', getPath(attachment), { token: member.token })
    await expectCorrectCounters(server, project.id)
    const { rows } = await sql`
      select file_id from file_candidates where file_id = ${attachment.file_id}`.execute(server.db)
    expect(rows).toHaveLength(1)
    const log = await server.request<{ data: AuditEntry[] }>(
      'GET',
      `/v1/projects/${project.id}/audit-log?action=attachment.delete`,
      { token: project.admin.token },
    )
    expect(log.body.data).toMatchObject([
      { actor: { id: member.id }, subject: { kind: 'attachment', id: attachment.id, name: 'a.txt' } },
    ])
  })
})

describe('what deletes a place', () => {
  it('deletes its attachments: a result, a test case, a run and a project', async () => {
    const other = await makeProject(server)
    const { token } = other.admin
    const base = `/v1/projects/${other.id}`
    const ids = [(await makeTestCase(server, other)).id, (await makeTestCase(server, other)).id]
    const runs = [(await makeRun(server, other)).id, (await makeRun(server, other)).id]
    for (const id of ids) {
      await attach(`${base}/test-cases/${id}`, token)
      for (const runId of runs) await attach(`/v1/runs/${runId}/results/${id}`, token, 'shared')
    }
    await attach(`/v1/runs/${runs[0]}`, token)
    const remove = async (path: string, body?: object) => {
      const options = body === undefined ? { token } : { token, body }
      expect((await server.request('DELETE', path, options)).status).toBeLessThan(300)
      await expectCorrectCounters(server, other.id)
    }
    await remove(`/v1/runs/${runs[0]}/test-cases`, { test_case_ids: [ids[0]] })
    await remove(`${base}/test-cases/${ids[1]}`)
    await remove(`/v1/runs/${runs[0]}`)
    const { rows: left } = await sql`select from run_attachments where project_id = ${other.id}`.execute(server.db)
    expect(left).toHaveLength(2)
    await remove(base)
    const { rows: files } = await sql`select from files where project_id = ${other.id}`.execute(server.db)
    expect(files).toEqual([])
    const { rows: names } = await sql`
      select name from file_deletions where name like ${`${other.id}%`}`.execute(server.db)
    expect(names).toEqual([{ name: `${other.id}/` }])
  })
})
