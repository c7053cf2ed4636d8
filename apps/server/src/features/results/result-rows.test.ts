import type { ResultRow } from '@caseward/contract/result-rows'
import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeRun, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

interface RowPage {
  data: ResultRow[]
  meta: { page: number; per_page: number; total: number; next_after: string | null }
}

/** A run over cases with these titles. */
async function makeScenario(count: number) {
  const project = await makeProject(server)
  const testCaseIds = await makeTestCases(server, project, count)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/results`
  return {
    project,
    testCaseIds,
    path,
    token,
    async list(query = ''): Promise<RowPage> {
      const { status, body } = await server.request<RowPage>('GET', `${path}?fields=row${query}`, { token })
      expect([query, status]).toEqual([query, 200])
      return body
    },
    set: (id: string, body: object) => server.request('PUT', `${path}/${id}`, { token, body }),
  }
}
const getCases = ({ data }: RowPage) => data.map((row) => row.test_case_id)

describe('GET /v1/runs/:run_id/results?fields=row', () => {
  it('returns the fields of the result and of its test case', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    const fields = { title: 'Says "hi" \\', priority: 'high', type: 'api' } as const
    await makeTestCase(server, project, { ...fields, tags: ['x', '"y"'], folder_id: folder.id })
    const run = await makeRun(server, project)
    const { token } = project.admin
    const path = `/v1/runs/${run.id}/results`
    const result = { status: 'failed', note: 'The "total"\nis wrong', elapsed: 40 }
    await server.request('PUT', `${path}/WEB-1`, { token, body: result })
    const { body } = await server.request<RowPage>('GET', `${path}?fields=row`, { token })
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        test_case_id: 'WEB-1',
        test_case_title: 'Says "hi" \\',
        folder_id: folder.id,
        priority: 'high',
        type: 'api',
        tags: ['x', '"y"'],
        status: 'failed',
        note_line: 'The "total"',
        elapsed: 40,
        tested_by: project.admin.id,
        tested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        assigned_to: null,
        step_state: null,
        attachment_count: 0,
        comment_count: 0,
        link_count: 0,
        defect: null,
      },
    ])
    expect(Object.keys(body.data[0] ?? {})[0]).toBe('id')
  })

  it('returns null for what a result that was not tested does not have', async () => {
    const { list } = await makeScenario(1)
    expect((await list()).data).toMatchObject([
      { status: 'not_tested', note_line: null, elapsed: null, tested_by: null, tested_at: null, tags: [] },
    ])
  })

  it('returns the result of a deleted test case with its title, without fields of the test case', async () => {
    const { project, token, list } = await makeScenario(2)
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    const { data, meta } = await list()
    expect(data[0]).toMatchObject({
      test_case_id: null,
      test_case_title: 'Case 1',
      folder_id: null,
      priority: null,
      type: null,
      tags: [],
    })
    expect([data[1]?.test_case_id, meta.total]).toEqual(['WEB-2', 2])
  })

  it.each([
    ['one line', 'one line'],
    ['first\r\nsecond', 'first'],
    ['first\rsecond', 'first'],
    ['\n \n  first\nsecond', 'first'],
    ['Failed in 2 attempts.\n\nAttempt 1: expected 3\n  at shop.ts\n\nAttempt 2: expected 4', 'expected 3'],
    ['Failed in 12 attempts.\n\nno numbers', 'no numbers'],
    ['Failed in 3 attempts.', 'Failed in 3 attempts.'],
    ['', null],
    [' \n ', null],
    ['é'.repeat(201), 'é'.repeat(200)],
    [`${'\u{1F600}'.repeat(200)}x`, '\u{1F600}'.repeat(200)],
  ])('returns the first line of the note %j', async (note, line) => {
    const { set, list } = await makeScenario(1)
    await set('WEB-1', { status: 'failed', note })
    expect((await list()).data[0]?.note_line).toBe(line)
  })

  it.each([
    ['', 7],
    ['&search=case', 7],
    ['&status=not_tested', 6],
    ['&status=not_tested&status=failed', 7],
    ['&status=failed&status=failed&search=case', 1],
    ['&status=passed', 0],
    ['&changed_since=2000-01-01', 7],
  ])('returns every row once with the cursor for the filter "%s"', async (filter, total) => {
    const { set, list } = await makeScenario(7)
    await set('WEB-3', { status: 'failed' })
    const rows: ResultRow[] = []
    let pages = 0
    for (let after: string | null = ''; after !== null; pages += 1) {
      const page: RowPage = await list(`${filter}&per_page=3${after === '' ? '' : `&after=${after}`}`)
      expect(page.meta.total).toBe(total)
      rows.push(...page.data)
      after = page.meta.next_after
    }
    expect([rows.length, new Set(rows.map(({ id }) => id)).size, pages]).toEqual([
      total,
      total,
      Math.max(1, Math.ceil(total / 3)),
    ])
  })

  it('keeps the order of the list, in which test cases were added', async () => {
    const { project, path, token, testCaseIds, list } = await makeScenario(5)
    const later = await makeTestCase(server, project)
    const body = { test_case_ids: [later.id] }
    await server.request('POST', `${path.replace('/results', '')}/test-cases`, { token, body })
    expect(getCases(await list())).toEqual([...testCaseIds, later.id])
    const second = await list('&per_page=2&page=2')
    expect([getCases(second), second.meta.next_after]).toEqual([['WEB-3', 'WEB-4'], second.data[1]?.id])
  })

  it.each([
    ['fields=row&per_page=2001', '/per_page'],
    ['fields=row&after=WEB-1', '/after'],
    ['fields=every', '/fields'],
    ['per_page=101', '/per_page'],
    ['after=019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02', '/after'],
    ['status=passed&status=done', '/status'],
    ['changed_since=yesterday', '/changed_since'],
  ])('returns 400 with the parameter for the query ?%s', async (query, errorPath) => {
    const { path, token } = await makeScenario(0)
    const problem = await server.expectProblem(400, 'GET', `${path}?${query}`, { token })
    expect(problem.errors).toEqual([{ path: errorPath, message: expect.any(String) }])
  })
})

describe('a repeated status of GET /v1/runs/:run_id/results', () => {
  it('returns results with any of the statuses, with the total', async () => {
    const { path, token, set } = await makeScenario(5)
    await set('WEB-1', { status: 'passed' })
    await set('WEB-2', { status: 'failed' })
    const { body } = await server.request<RowPage>('GET', `${path}?status=failed&status=passed&per_page=1`, { token })
    expect([getCases(body), body.meta.total]).toEqual([['WEB-1'], 2])
  })
})
