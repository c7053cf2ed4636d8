import type { Link } from '@caseward/contract/link-schemas'
import type { ResultRow } from '@caseward/contract/result-rows'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const DEFECT = 'https://acme.atlassian.net/browse/SHOP-41'

async function makeLinkedRun(caseCount = 1) {
  const project = await makeProject(server)
  const { token } = project.admin
  const caseIds = await makeTestCases(server, project, caseCount)
  const run = await makeRun(server, project)
  const [id = ''] = caseIds
  const resultPath = `/v1/runs/${run.id}/results/${id}`
  const casePath = `/v1/projects/${project.id}/test-cases/${id}`
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    server.request<{ data: unknown; code?: string }>(method, path, body === undefined ? { token } : { token, body })
  const countLinks = async () => {
    const { rows } = await server.db.executeQuery<{ count: number }>(
      server.db
        .selectFrom('links')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('project_id', '=', project.id)
        .compile(),
    )
    return rows[0]?.count
  }
  return {
    project,
    run,
    caseIds,
    resultPath,
    casePath,
    send,
    countLinks,
    add: (path: string, body: object) =>
      server.request<{ data: Link; code?: string }>('POST', `${path}/links`, { token, body }),
    list: async (path: string) => (await server.request<{ data: Link[] }>('GET', `${path}/links`, { token })).body.data,
    listRows: async (query = '') =>
      (
        await server.request<{ data: ResultRow[]; meta: { total: number } }>(
          'GET',
          `/v1/runs/${run.id}/results?fields=row${query}`,
          { token },
        )
      ).body,
  }
}

describe('POST …/results/:result_id/links', () => {
  it('adds a defect with the label of its tracker, which the row and the detail of the result show', async () => {
    const { add, list, listRows, send, resultPath, project } = await makeLinkedRun()
    expect((await listRows()).data[0]).toMatchObject({ link_count: 0, defect: null })
    const added = await add(resultPath, { url: DEFECT })
    expect(added).toMatchObject({
      status: 201,
      body: { data: { kind: 'defect', url: DEFECT, label: 'SHOP-41', created_by: project.admin.id } },
    })
    await add(resultPath, { url: 'https://acme.test/wiki', kind: 'other', label: ' How  to pay ' })
    const links = await list(resultPath)
    expect(links.map(({ label, kind }) => [label, kind])).toEqual([
      ['SHOP-41', 'defect'],
      ['How  to pay', 'other'],
    ])
    expect((await listRows()).data[0]).toMatchObject({ link_count: 2, defect: { label: 'SHOP-41', url: DEFECT } })
    expect((await send('GET', resultPath)).body.data).toMatchObject({ link_count: 2, links })
  })

  it('returns the link that is there when the addresses are equal after normalization, also in parallel', async () => {
    const { add, list, resultPath } = await makeLinkedRun()
    const urls = [
      DEFECT,
      'HTTPS://ACME.atlassian.net:443/browse/SHOP-41',
      'https://acme.atlassian.net/x/../browse/SHOP-41',
    ]
    const responses = await Promise.all(urls.map((url) => add(resultPath, { url })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await list(resultPath)).toHaveLength(1)
    expect((await add(resultPath, { url: `${DEFECT}?focus=1` })).status).toBe(201)
  })

  it.each([
    ['javascript:alert(1)', 'begins with http'],
    ['data:text/html,<script>alert(1)</script>', 'begins with http'],
    ['ftp://acme.test/a', 'begins with http'],
    ['https:acme.test', 'begins with http'],
    ['//acme.test/a', 'begins with http'],
    ['https://', 'begins with http'],
    ['https://ada:secret@acme.test/', 'user name or password'],
    ['https://ada@acme.test/', 'user name or password'],
    ['https://acme.test/a\nb', 'control characters'],
    ['https://acme.test/\u007f', 'control characters'],
  ])('refuses %j, and names the field', async (url, message) => {
    const { add, countLinks, resultPath } = await makeLinkedRun()
    expect(await add(resultPath, { url })).toMatchObject({
      status: 400,
      body: { code: 'invalid_link', errors: [{ path: '/url', message: expect.stringContaining(message) as string }] },
    })
    expect((await add(resultPath, { url: `https://acme.test/${'a'.repeat(2048)}` })).status).toBe(400)
    expect(await countLinks()).toBe(0)
  })

  it('adds up to 50 links, and keeps them when the run is completed', async () => {
    const { add, send, resultPath, run, project } = await makeLinkedRun()
    for (let number = 1; number <= 49; number += 1) await add(resultPath, { url: `https://acme.test/issues/${number}` })
    await server.request('PATCH', `/v1/runs/${run.id}`, { token: project.admin.token, body: { status: 'completed' } })
    expect((await add(resultPath, { url: 'https://acme.test/issues/50' })).status).toBe(201)
    expect(await add(resultPath, { url: 'https://acme.test/issues/51' })).toMatchObject({
      status: 422,
      body: { code: 'too_many_links' },
    })
    expect((await send('GET', resultPath)).body.data).toMatchObject({ link_count: 50 })
  })
})

describe('DELETE …/links/:link_id', () => {
  it('removes the link of this result or test case only', async () => {
    const { add, send, listRows, countLinks, resultPath, casePath } = await makeLinkedRun()
    const ofResult = (await add(resultPath, { url: DEFECT })).body.data.id
    const ofCase = (await add(casePath, { url: DEFECT })).body.data
    expect(ofCase.kind).toBe('requirement')
    expect((await send('DELETE', `${resultPath}/links/${ofCase.id}`)).status).toBe(404)
    expect((await send('DELETE', `${resultPath}/links/${ofResult}`)).status).toBe(204)
    expect((await send('DELETE', `${resultPath}/links/${ofResult}`)).status).toBe(404)
    expect((await listRows()).data[0]).toMatchObject({ link_count: 0, defect: null })
    expect((await send('DELETE', `${casePath}/links/${ofCase.id}`)).status).toBe(204)
    expect(await countLinks()).toBe(0)
  })
})

describe('GET …/results?defect', () => {
  it('returns results with any defect, with none, or with one whose label or address contains the text', async () => {
    const { add, listRows, caseIds, run } = await makeLinkedRun(4)
    const [first, second, third] = caseIds.map((id) => `/v1/runs/${run.id}/results/${id}`)
    await add(first ?? '', { url: DEFECT })
    await add(second ?? '', { url: 'https://github.com/acme/shop/issues/7' })
    await add(third ?? '', { url: 'https://acme.test/wiki', kind: 'other' })
    const find = async (defect: string) => {
      const { data, meta } = await listRows(`&defect=${encodeURIComponent(defect)}`)
      expect(meta.total).toBe(data.length)
      return data.map(({ test_case_id: id }) => caseIds.indexOf(id ?? ''))
    }
    expect(await find('any')).toEqual([0, 1])
    expect(await find('none')).toEqual([2, 3])
    expect(await find('shop-4')).toEqual([0])
    expect(await find('shop#7')).toEqual([1])
    expect(await find('GITHUB.com')).toEqual([1])
    expect(await find('100%')).toEqual([])
  })
})

describe('links', () => {
  it('are deleted with their test case, their result, their run and their project', async () => {
    const { add, send, countLinks, project, run, caseIds, resultPath, casePath } = await makeLinkedRun(2)
    const otherPath = `/v1/runs/${run.id}/results/${caseIds[1] ?? ''}`
    for (const path of [casePath, resultPath, otherPath]) await add(path, { url: DEFECT })
    await send('DELETE', casePath)
    expect(await countLinks()).toBe(2)
    await send('DELETE', `/v1/runs/${run.id}/test-cases`, { test_case_ids: [caseIds[1]] })
    expect(await countLinks()).toBe(1)
    await send('DELETE', `/v1/runs/${run.id}`)
    expect(await countLinks()).toBe(0)
    const [id = ''] = await makeTestCases(server, project, 1)
    const otherRun = await makeRun(server, project)
    await add(`/v1/runs/${otherRun.id}/results/${id}`, { url: DEFECT })
    await add(`/v1/projects/${project.id}/test-cases/${id}`, { url: DEFECT })
    expect(await countLinks()).toBe(2)
    await send('DELETE', `/v1/projects/${project.id}`)
    expect(await countLinks()).toBe(0)
  })
})
