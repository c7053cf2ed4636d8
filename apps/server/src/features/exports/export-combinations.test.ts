import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { share } from '@caseward/test-support/share-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()

let token = ''
let runId = ''
let memberName = ''

/** A run of two test cases: one combination failed, and the name of a member is in its note. */
beforeAll(async () => {
  const project = await makeProject(server)
  ;({ token } = project.admin)
  const me = await server.request<{ data: { name: string } }>('GET', '/v1/me', { token })
  memberName = me.body.data.name
  await makeConfigurations(server, project, { browser: ['chrome', 'firefox', 'safari'] })
  await makeTestCases(server, project, 2)
  runId = (await makeRun(server, project, { configurations: { groups: { browser: ['chrome', 'firefox', 'safari'] } } }))
    .id
  const set = async (place: number, body: object) =>
    await server.request('PUT', `/v1/runs/${runId}/results/WEB-1/combinations/${place}`, { token, body })
  await set(1, { status: 'passed' })
  await set(2, { status: 'failed', note: `Blank page,\nsays ${memberName}` })
})

const readText = async (path: string, headers: Record<string, string> = {}) =>
  await (await fetch(`${server.url}${path}`, { headers })).text()

describe('combinations of a run', () => {
  it('are a line each in a cell of its CSV and Excel files', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const [headings, first, second] = (await readText(`/v1/runs/${runId}/export`, headers)).split('\r\n')
    expect(headings).toContain('Status,Combinations,Note')
    const lines = ['Chrome: Passed', `Firefox: Failed, Blank page, says ${memberName}`, 'Safari: Not tested'].join('\n')
    expect(first?.toLowerCase()).toContain(`failed,"${lines.toLowerCase()}",`)
    expect(second?.toLowerCase()).toContain('not tested,"chrome: not tested\nfirefox: not tested\nsafari: not tested",')
    const file = await fetch(`${server.url}/v1/runs/${runId}/export?format=xlsx`, { headers })
    const [sheet] = await readXlsxFile(Buffer.from(await file.arrayBuffer()))
    expect(String(sheet?.data[1]?.[4]).toLowerCase()).toBe(lines.toLowerCase())
  })

  it('are in its shared report, failed ones by name, with notes and people only if these are included', async () => {
    const { path } = await share(server, token, `/v1/runs/${runId}`, ['notes', 'people'])
    const page = await readText(path, { accept: 'text/html' })
    expect(page).toMatch(/aria-label="Combinations"/)
    expect(page).toContain(`Blank page,\nsays ${memberName}`)
    expect(page).toMatch(/1 passed · Failed: firefox · 1 not tested/i)
    expect(page).toContain('3 not tested')
    expect(await readText(`${path}/export`)).toContain(`Blank page, says ${memberName}`)

    const { path: bare } = await share(server, token, `/v1/runs/${runId}`, [])
    const withoutNotes = await readText(bare, { accept: 'text/html' })
    expect(withoutNotes).toMatch(/1 passed · Failed: firefox · 1 not tested/i)
    const file = await readText(`${bare}/export`)
    expect(file).toMatch(/firefox: Failed\n/i)
    for (const text of [withoutNotes, file]) expect(text).not.toContain('Blank page')

    const { path: noPeople } = await share(server, token, `/v1/runs/${runId}`, ['notes'])
    for (const text of [await readText(noPeople, { accept: 'text/html' }), await readText(`${noPeople}/export`)]) {
      expect(text).toContain('Blank page')
      expect(text).not.toContain(memberName)
    }
  })
})
