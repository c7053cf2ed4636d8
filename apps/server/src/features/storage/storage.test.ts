import { createHash } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { makeInstanceAdmin } from '@caseward/test-support/users'

const server = useTestServer({ runFileRetentionDays: 90 })
let admin: { token: string }
beforeAll(async () => {
  admin = await makeInstanceAdmin(server)
})
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')
const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Two projects with the same text, attached to a run, a result and a test case of each; the first one also has an image. */
async function makeProjectsWithFiles() {
  const text = Buffer.from('secret '.repeat(1 + Math.floor(Math.random() * 1000)))
  const attach = async ({ project, run, token }: Awaited<ReturnType<typeof makeUploadScenario>>, content: Buffer) => {
    const places = [
      `/v1/runs/${run.id}`,
      `/v1/runs/${run.id}/results/WEB-1`,
      `/v1/projects/${project.id}/test-cases/WEB-1`,
    ]
    for (const place of places) {
      const { status } = await server.request('POST', `${place}/attachments?name=a`, { token, body: content })
      expect(status).toBe(201)
    }
    return places
  }
  const [first, second] = [await makeUploadScenario(server), await makeUploadScenario(server)]
  const places = await attach(first, text)
  await attach(second, text)
  await attach(first, PNG)
  return { first, second, text, places }
}

describe('what files take', () => {
  it('is listed by kind for one project, with its limits, and for all, page by page', async () => {
    const { first, second, text } = await makeProjectsWithFiles()
    const path = `/v1/projects/${first.project.id}/storage`
    const kinds = [
      { kind: 'text', byte_count: text.length, file_count: 1 },
      { kind: 'image', byte_count: PNG.length, file_count: 1 },
    ].toSorted((a, b) => b.byte_count - a.byte_count)
    const usage = { byte_count: text.length + PNG.length, file_count: 2, kinds }
    const { body } = await server.request('GET', path, { token: first.token })
    expect(body).toEqual({ data: { ...usage, max_file_bytes: null, max_run_files_days: 90 } })
    const empty = await makeProject(server)
    const none = await server.request('GET', `/v1/projects/${empty.id}/storage`, { token: empty.admin.token })
    expect(none.body).toMatchObject({ data: { byte_count: 0, file_count: 0, kinds: [] } })

    const items: { project_id: string }[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: { body: { data: { project_id: string }[]; meta: { next_after: string | null } } } =
        await server.request('GET', `/v1/admin/storage?per_page=1${after === '' ? '' : `&after=${after}`}`, admin)
      items.push(...page.body.data)
      after = page.body.meta.next_after
    }
    expect(items.filter(({ project_id: id }) => id === first.project.id)).toMatchObject([
      { project_name: first.project.name, waiting_file_count: 0, ...usage },
    ])
    expect(items.map(({ project_id: id }) => id)).toContain(second.project.id)
    expect(items.map(({ project_id: id }) => id)).not.toContain(empty.id)
  })
})

describe('the deletion of a content', () => {
  it('removes it in all projects and from the store at once, and says so where it was attached and in the audit logs', async () => {
    const { first, second, text, places } = await makeProjectsWithFiles()
    const { body } = await server.request('DELETE', `/v1/admin/files/${hash(text)}`, admin)
    expect(body).toEqual({ data: { project_count: 2, attachment_count: 6, is_removed: true } })
    const states = await Promise.all(
      places.map(async (place) => {
        const list = await server.request<{ data: { state: string }[] }>('GET', `${place}/attachments`, first)
        return list.body.data.map(({ state }) => state)
      }),
    )
    expect(states).toEqual([['removed', 'complete'], ['removed', 'complete'], ['complete']])
    for (const { project, token } of [first, second]) {
      await expectCorrectCounters(server, project.id)
      const log = `/v1/projects/${project.id}/audit-log?action=file.delete`
      const { body: entries } = await server.request('GET', log, { token })
      expect(entries).toMatchObject({ data: [{ detail: { sha256: hash(text), attachments: 3 } }] })
    }
    const { rows } = await sql`select from file_deletions where deleted_at < '2000-01-01'`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('returns 404 for a content that no project has, and for what is no SHA-256', async () => {
    for (const digest of [hash(Buffer.from('nobody has this')), 'ABC', '0'.repeat(63)]) {
      const { status } = await server.request('DELETE', `/v1/admin/files/${digest}`, admin)
      expect([digest, status]).toEqual([digest, 404])
    }
  })
})
