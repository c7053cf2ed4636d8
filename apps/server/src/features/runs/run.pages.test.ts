import type { Run } from '@caseward/contract/runs'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

interface Item {
  test_case_id: string
  status: string
  note?: string
}

type RunFields = Partial<Run> & { test_case_ids?: string[] }

interface ScenarioOptions {
  cases?: number
  results?: Item[]
  /** Of the run. */
  fields?: RunFields
}

/** A project with so many cases, a run over them with some results, and a viewer's browser. */
async function makeScenario({ cases = 0, results = [], fields = {} }: ScenarioOptions = {}) {
  const project = await makeProject(server, { name: 'Web <shop>' })
  const { token } = project.admin
  await makeTestCases(server, project, cases)
  const path = `/v1/projects/${project.id}/runs`
  const created = await server.request<{ data: Run }>('POST', path, { token, body: { name: 'Nightly', ...fields } })
  const run = created.body.data
  if (results.length > 0) await server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, body: { results } })
  const { browser } = await makeViewer(project.id)
  return { project, token, run, browser, path: `/plain/runs/${run.id}` }
}

/** Makes a viewer of a project, and returns their browser. */
async function makeViewer(projectId: string) {
  const { id, email } = await makeUserWithPassword(server)
  const membership = { project_id: projectId, user_id: id, role: 'viewer' } as const
  await server.db.insertInto('memberships').values(membership).execute()
  return { email, browser: await openSignedInBrowser(server, email) }
}

async function getPage(browser: Browser, path: string): Promise<string> {
  const { status, text } = await browser.get(path)
  expect(status).toBe(200)
  return text
}

const passed = (number: number): Item => ({ test_case_id: `WEB-${number}`, status: 'passed' })

/** Returns the tone and the text of the summary of the run. */
const getSummary = (page: string) => /<p class="verdict (\w+)">([^<]*)</.exec(page)?.slice(1)
const getTitles = (page: string) => [...page.matchAll(/<li>\s*<div>\s*<strong>([^<]*)</g)].map(([, title]) => title)

describe('GET /plain/runs/:id', () => {
  it('redirects to sign-in without a session, and then to the app', async () => {
    const { project, path } = await makeScenario()
    const { email } = await makeViewer(project.id)
    const browser = openBrowser(server)
    const { status, location } = await browser.get(path)
    const appPath = path.replace('/plain', '')
    expect([status, location]).toEqual([303, `/sign-in?next=${encodeURIComponent(appPath)}`])
    expect((await browser.get(location ?? '')).text).toContain(`action="${location}"`)
    expect((await browser.post(location ?? '', { email, password: PASSWORD })).location).toBe(appPath)
    expect((await browser.get(path)).status).toBe(200)
  })

  it('returns 403 without the name of the run to users who are not members', async () => {
    const { path } = await makeScenario({ fields: { name: 'Secret run' } })
    const { browser } = await makeSignedInUser(server)
    const { status, text } = await browser.get(path)
    expect([status, text.includes('Secret run'), text.includes('Web ')]).toEqual([403, false, false])
  })

  it.each([[uuidv7()], ['nonsense'], ['%00'], ['a%2Fb']])('returns 404 for the unknown id %s', async (id) => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get(`/plain/runs/${id}`)).status).toBe(404)
  })

  it('returns 404 after the run was deleted', async () => {
    const { run, token, browser, path } = await makeScenario()
    await getPage(browser, path)
    await server.request('DELETE', `/v1/runs/${run.id}`, { token })
    expect((await browser.get(path)).status).toBe(404)
  })

  it('shows name, project, status, counts, pass rate and times', async () => {
    const results = [passed(1), passed(2), { test_case_id: 'WEB-3', status: 'failed' }]
    const { run, token, browser, path } = await makeScenario({ cases: 5, results })
    const open = await getPage(browser, path)
    for (const text of [
      '<h1>Nightly</h1>',
      'Web &lt;shop&gt;',
      'In progress',
      'Pass rate 66.7% of 3 tested',
      run.created_at,
    ]) {
      expect(open).toContain(text)
    }
    const counts = [...open.matchAll(/<strong>(\d+)<\/strong> ([a-z ]+)/g)].map(([, count, word]) => [word, count])
    expect(Object.fromEntries(counts)).toEqual({
      passed: '2',
      failed: '1',
      blocked: '0',
      'to retest': '0',
      'not tested': '2',
    })
    const widths = [...open.matchAll(/class="(\w+)" x="(\d+)" width="(\d+)"/g)].map((match) => match.slice(1).join(' '))
    expect(widths).toEqual(['passed 0 2', 'failed 2 1', 'blocked 3 0', 'retest 3 0', 'not_tested 3 2'])
    const body = { status: 'completed' }
    const { body: completed } = await server.request<{ data: Run }>('PATCH', `/v1/runs/${run.id}`, { token, body })
    const closed = await getPage(browser, path)
    expect([closed.includes('In progress'), closed.includes(`datetime="${completed.data.completed_at}"`)]).toEqual([
      false,
      true,
    ])
  })

  it.each<[string, Item[], RunFields, string[]]>([
    ['all have passed', [passed(1), passed(2)], {}, ['good', 'All 2 passed']],
    ['one failed', [passed(1), { test_case_id: 'WEB-2', status: 'failed' }], {}, ['bad', '1 of 2 failed']],
    ['some are not tested', [passed(1)], {}, ['open', '1 of 2 not tested']],
    ['nothing is tested', [], {}, ['open', '2 of 2 not tested']],
    [
      'one is blocked',
      [passed(1), { test_case_id: 'WEB-2', status: 'blocked' }],
      {},
      ['open', 'None failed; 1 of 2 blocked or to retest'],
    ],
    [
      'one is to retest',
      [passed(1), { test_case_id: 'WEB-2', status: 'retest' }],
      {},
      ['open', 'None failed; 1 of 2 blocked or to retest'],
    ],
    ['there is nothing to test', [], { test_case_ids: [] }, ['open', 'No test cases']],
    [
      'shards are missing',
      [passed(1), passed(2)],
      { expected_shards: 3 },
      ['open', 'All passed so far; waiting for 3 of 3 shards'],
    ],
  ])('summarizes the run when %s', async (_, results, fields, summary) => {
    const { browser, path } = await makeScenario({ cases: 2, results, fields })
    expect(getSummary(await getPage(browser, path))).toEqual(summary)
  })

  it('lists failed results first, then blocked, to retest and not tested, with test case id and note', async () => {
    const results = [
      { test_case_id: 'WEB-2', status: 'retest' },
      { test_case_id: 'WEB-3', status: 'blocked' },
      { test_case_id: 'WEB-4', status: 'failed', note: ' \nExpected 200\r\ngot 500\n3\n4\n5' },
      passed(5),
      { test_case_id: 'WEB-6', status: 'failed', note: 'x'.repeat(401) },
    ]
    const { browser, path } = await makeScenario({ cases: 6, results })
    const page = await getPage(browser, path)
    expect(getTitles(page)).toEqual(['Case 4', 'Case 6', 'Case 3', 'Case 2', 'Case 1'])
    expect(page).toContain('<span class="hint">WEB-4</span>')
    expect([...page.matchAll(/<p class="note">([^<]*)</g)].map(([, note]) => note)).toEqual([
      'Expected 200\ngot 500\n3\n4 …',
      `${'x'.repeat(400)} …`,
    ])
    expect(page).not.toContain('more.')
  })

  it('lists 100 results, and shows the number of other results', async () => {
    const failed = Array.from({ length: 4 }, (_, index) => ({ test_case_id: `WEB-${110 - index}`, status: 'failed' }))
    const { browser, path } = await makeScenario({ cases: 112, results: [...failed, passed(1), passed(2)] })
    const page = await getPage(browser, path)
    const titles = getTitles(page)
    expect([titles.length, ...titles.slice(0, 5)]).toEqual([
      100,
      'Case 107',
      'Case 108',
      'Case 109',
      'Case 110',
      'Case 3',
    ])
    expect(page).toContain('And 10 more.')
  })

  it('lists the results of deleted test cases by title, and no results when all have passed', async () => {
    const { project, token, browser, path } = await makeScenario({ cases: 2, results: [passed(1)] })
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-2`, { token })
    const page = await getPage(browser, path)
    expect(getTitles(page)).toEqual(['Case 2'])
    expect(page).toContain('This test case was deleted.')
    const { browser: other, path: green } = await makeScenario({ cases: 1, results: [passed(1)] })
    expect(await getPage(other, green)).not.toContain('Not passed')
  })

  it('shows run key and metadata, and renders only web addresses as links', async () => {
    const metadata = {
      branch: 'main',
      commit: '8a006ed',
      ci_url: 'https://ci.example.test/builds?id=1&x=2',
      bad: 'javascript:alert(1)',
      near: 'see https://ci.example.test',
      constructor: 'data:text/html,x',
    }
    const { browser, path } = await makeScenario({ fields: { metadata, run_key: 'build 7' } })
    const page = await getPage(browser, path)
    const rows = [...page.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value])
    const address = 'https://ci.example.test/builds?id=1&amp;x=2'
    expect(rows.slice(1)).toEqual([
      ['Run key', 'build 7'],
      ['Branch', 'main'],
      ['Commit', '8a006ed'],
      ['CI build', `<a href="${address}" rel="noopener noreferrer nofollow">${address}</a>`],
      ['bad', 'javascript:alert(1)'],
      ['near', 'see https://ci.example.test'],
      ['constructor', 'data:text/html,x'],
    ])
  })

  it.each<[number | undefined, number, string | undefined]>([
    [undefined, 0, undefined],
    [3, 0, '0 of 3 reported'],
    [3, 2, '2 of 3 reported: s1, s2'],
    [undefined, 1, '1 reported: s1'],
    [60, 53, `53 of 60 reported: ${Array.from({ length: 50 }, (_, index) => `s${index + 1}`).join(', ')} and 3 more`],
  ])('shows for %j expected shards which %i have reported', async (expected, done, text) => {
    const { run, browser, path } = await makeScenario({
      fields: expected === undefined ? {} : { expected_shards: expected },
    })
    const shards_done = Array.from({ length: done }, (_, index) => `s${index + 1}`)
    await server.db.updateTable('runs').set({ shards_done }).where('id', '=', run.id).execute()
    expect(/<dt>Shards<\/dt>\s*<dd>([^<]*)</.exec(await getPage(browser, path))?.[1]).toBe(text)
  })

  it('escapes HTML in all texts', async () => {
    const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
    const project = await makeProject(server, { name: hostile })
    const { token } = project.admin
    await makeTestCase(server, project, { title: hostile })
    const fields = {
      name: hostile,
      run_key: hostile,
      expected_shards: 2,
      metadata: { [hostile]: hostile, ci_url: `https://x.test/"onmouseover="alert(1)"<b>` },
    }
    const created = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body: fields,
    })
    const { id } = created.body.data
    const results = [{ test_case_id: 'WEB-1', status: 'failed', note: hostile }]
    await server.request('POST', `/v1/runs/${id}/results/bulk`, { token, body: { results } })
    await server.request('POST', `/v1/runs/${id}/shards/${encodeURIComponent(hostile)}/done`, { token })
    const page = await getPage((await makeViewer(project.id)).browser, `/plain/runs/${id}`)
    expect(page.split('&lt;script&gt;alert(1)&lt;/script&gt;')).toHaveLength(10)
    expect(page).not.toMatch(/<script|<img|<b>|<style|\sstyle=|"onmouseover|\son\w+="/)
  })

  it('redirects requests with a token instead of a session to sign-in', async () => {
    const { token, path } = await makeScenario()
    expect((await server.request('GET', path, { token })).status).toBe(303)
  })
})
