import { sql } from 'kysely'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeField, makeFolder, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const HEADINGS = [
  'Folder',
  'Test case',
  'Title',
  'Status',
  'Note',
  'Duration in seconds',
  'Tested by',
  'Tested at',
  'Defects',
  'Other links',
  'Files',
]

let project: Awaited<ReturnType<typeof makeProject>>
let runId = ''

const get = async (query = '') =>
  await fetch(`${server.url}/v1/runs/${runId}/export${query}`, {
    headers: { authorization: `Bearer ${project.admin.token}` },
  })

/** A run with one result that has everything, and one that was not tested. */
beforeAll(async () => {
  project = await makeProject(server)
  const { token } = project.admin
  const parent = await makeFolder(server, project, { name: 'Shop' })
  const folder = await makeFolder(server, project, { name: 'Pay/Ship', parent_id: parent.id })
  await makeTestCase(server, project, { title: '=1+1', folder_id: folder.id })
  await makeTestCase(server, project, { title: 'Ümlaut, "quoted"' })
  runId = (await makeRun(server, project, { name: 'Nightly 7/8' })).id
  const path = `/v1/runs/${runId}/results/WEB-1`
  await server.request('PUT', path, { token, body: { status: 'failed', note: '@cmd\nsecond line', elapsed: 3 } })
  await server.request('POST', `${path}/links`, { token, body: { url: 'https://acme.test/browse/SHOP-1' } })
  await server.request('POST', `${path}/links`, { token, body: { url: 'https://acme.test/wiki', kind: 'other' } })
  await server.request('POST', `${path}/attachments?name=-shot.txt`, { token, body: Buffer.from('a') })
})

describe('GET /v1/runs/:run_id/export', () => {
  it('has a column for each custom field of results, with the labels of options and the names of people', async () => {
    const other = await makeProject(server)
    const { token } = other.admin
    await makeTestCase(server, other, { title: 'Pay' })
    const options = [
      { key: 'chrome', label: 'Google Chrome' },
      { key: 'firefox', label: 'Firefox' },
    ]
    const subject = 'result'
    await makeField(server, other, { subject, key: 'browsers', name: 'Browsers', type: 'multi_select', options })
    await makeField(server, other, { subject, key: 'title_2', name: 'title', type: 'text' })
    await makeField(server, other, { subject, key: 'tester', name: 'Tester', type: 'user' })
    const { id } = await makeRun(server, other)
    const fields = { browsers: ['chrome', 'firefox'], title_2: '=1+1', tester: other.admin.id }
    await server.request('PATCH', `/v1/runs/${id}/results/WEB-1`, { token, body: { fields } })
    const read = async (query: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return await fetch(`${server.url}/v1/runs/${id}/export${query}`, { headers })
    }
    const me = await server.request<{ data: { name: string } }>('GET', '/v1/me', { token })
    const { name } = me.body.data
    expect(await (await read('?fields=status&fields=custom_fields')).text()).toBe(
      `Status,Browsers,title_2,Tester\r\nNot tested,"Google Chrome; Firefox",'=1+1,${name}\r\n`,
    )
    expect(await (await read('?fields=status')).text()).toBe('Status\r\nNot tested\r\n')
    const [headings, row] =
      (await readXlsxFile(Buffer.from(await (await read('?format=xlsx')).arrayBuffer())))[0]?.data ?? []
    expect([headings?.at(-3), row?.at(-3)]).toEqual(['Browsers', 'Google Chrome; Firefox'])
  })

  it('returns CSV with a byte order mark, CR LF and no formulas, one row for each result', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('attachment; filename="Nightly 7_8.csv"')
    const text = Buffer.from(await response.arrayBuffer()).toString()
    const [headings, first, second, end] = text.split('\r\n')
    expect(headings).toBe(`\uFEFF${HEADINGS.join(',')}`)
    expect(first).toMatch(
      /^Shop\/Pay\\\/Ship,WEB-1,'=1\+1,Failed,"'@cmd\nsecond line",3,[^,]+,\d{4}-\d\d-\d\dT[\d:.]+Z,https:\/\/acme\.test\/browse\/SHOP-1,https:\/\/acme\.test\/wiki,'-shot\.txt$/,
    )
    expect(second).toBe(',WEB-2,"Ümlaut, ""quoted""",Not tested,,,,,,,')
    expect(end).toBe('')
  })

  it('returns only the chosen columns, in their own order', async () => {
    const text = await (await get('?fields=title&fields=folder')).text()
    expect(text.replace('\uFEFF', '').split('\r\n')[0]).toBe('Folder,Title')
  })

  it('returns an Excel file in which every cell is text', async () => {
    const response = await get('?format=xlsx')
    expect(response.headers.get('content-disposition')).toContain('filename="Nightly 7_8.xlsx"')
    const [sheet] = await readXlsxFile(Buffer.from(await response.arrayBuffer()))
    expect(sheet?.data[0]).toEqual(HEADINGS)
    expect(sheet?.data[1]?.slice(0, 6)).toEqual([
      'Shop/Pay\\/Ship',
      'WEB-1',
      '=1+1',
      'Failed',
      '@cmd\nsecond line',
      '3',
    ])
  })

  it('returns 422 too_many_rows that names CSV for an Excel file of more than 10,000 results', async () => {
    await sql`update runs set passed_count = 10001 where id = ${runId}`.execute(server.db)
    const { token } = project.admin
    const problem = await server.expectProblem(422, 'GET', `/v1/runs/${runId}/export?format=xlsx`, { token })
    expect(problem).toMatchObject({ code: 'too_many_rows', detail: expect.stringContaining('format=csv') })
  })

  it('returns every result once when it reads them in several batches', async () => {
    await sql`
      insert into test_results (project_id, run_id, run_group, id, title)
      select ${project.id}::uuid, ${runId}::uuid, 0, gen_random_uuid(), 'Row ' || n from generate_series(1, 2500) n
    `.execute(server.db)
    const lines = (await (await get('?fields=title')).text()).trim().split('\r\n')
    expect(new Set(lines).size).toBe(2503)
  })
})
