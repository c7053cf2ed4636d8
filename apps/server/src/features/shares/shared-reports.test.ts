import { sql } from 'kysely'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'

import { generateTokenSecret } from '../../access/secret.ts'
import { makeMilestone, makeProject, makeRun } from '@caseward/test-support/factories'
import { startServerForTest, useSharedServer } from '@caseward/test-support/test-server'
import { DEFECT, makeReportedRun, share } from '@caseward/test-support/share-scenario'

const server = useSharedServer()
const ALL = ['notes', 'steps', 'people', 'files', 'links', 'comments']

let made: Awaited<ReturnType<typeof makeReportedRun>>
beforeAll(async () => {
  made = await makeReportedRun(server)
})

const shareRun = async (include: readonly string[] = [], runId = made.run.id) =>
  await share(server, made.token, `/v1/runs/${runId}`, include)

/** What a browser without cookies gets. */
async function open(path: string) {
  const response = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

const expectSafe = ({ headers, text }: Awaited<ReturnType<typeof open>>) => {
  expect(Object.fromEntries(Object.keys(HEADERS).map((name) => [name, headers.get(name)]))).toEqual(HEADERS)
  expect(headers.get('set-cookie')).toBeNull()
  expect(text).not.toMatch(/<script|javascript:|style="|<form/)
  const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !/^(?:#|https:|\/assets\/report-|\/shared\/cws_)/.test(link))).toEqual([])
}

describe('GET /shared/:secret', () => {
  it('shows a run with everything that is included, without scripts, cookies or links into the app', async () => {
    const { path } = await shareRun(ALL)
    const page = await open(path)
    expect(page.status).toBe(200)
    expectSafe(page)
    const { text } = page
    expect(text).toContain('<h1>For Acme</h1>')
    expect(text).toContain('&lt;b&gt;Pays&lt;/b&gt; by voucher')
    expect(text).toContain('2 of 3 test cases were tested. 50 % of them passed.')
    for (const part of ['Expected 200, got 500', 'Error 500', 'Go to payment', `href="${DEFECT}"`, '1 min · ']) {
      expect(text).toContain(part)
    }
    expect(text).toContain(`src="${path}/files/${made.attachmentId}"`)
    expect(text).toMatch(/tested by Person \d/)
  })

  it('shows nothing that is not included, and no name or email address anywhere', async () => {
    const { db } = server
    const { rows } = await sql<{ id: string; name: string; email: string }>`
      select id, name, email from users where id = ${made.project.admin.id}`.execute(db)
    const [person = { id: '', name: '', email: '' }] = rows
    const note = `See @[${person.name}](user:${person.id}), ${person.name} or ${person.email}`
    const options = { token: made.token, body: { status: 'failed', note } }
    await server.request('PUT', `/v1/runs/${made.run.id}/results/WEB-3`, options)
    const { path } = await shareRun(['notes'])
    const { text } = await open(path)
    expect(text).toContain('See @someone, someone or someone')
    for (const hidden of [person.name, person.email, person.id, 'Error 500', DEFECT, 'shot.png', '/files/']) {
      expect(text).not.toContain(hidden)
    }
    const bare = await open((await shareRun()).path)
    expect(bare.text).not.toContain('Expected 200')
    const csv = await open(`${path}/export`)
    expect(csv.text).toContain('See @someone, someone or someone')
    expect(csv.text.split('\r\n')[0]).toBe('Folder,Test case,Title,Status,Note,Duration in seconds,Tested at')
  })

  it('shows comments on what did not pass and on the run, with their authors only where people are included', async () => {
    const { token, project, run } = made
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from users where id = ${project.admin.id}`.execute(server.db)
    const [person = { id: '', name: '' }] = rows
    const say = async (place: string, body: string) =>
      await server.request<{ data: { id: string } }>('POST', `/v1/runs/${run.id}${place}/comments`, {
        token,
        body: { body },
      })
    for (let number = 1; number <= 21; number += 1) await say('/results/WEB-1', `talk ${number}.`)
    await say(
      '/results/WEB-1',
      `<i>asked</i> @[${person.name}](user:${person.id}) ![shot](attachment:${made.attachmentId})`,
    )
    const mistake = await say('/results/WEB-1', 'a mistake')
    await server.request('DELETE', `/v1/projects/${project.id}/comments/${mistake.body.data.id}`, { token })
    await say('/results/WEB-2', 'about what passed')
    await say('', 'We release it.')
    const [named, anonymous, without] = await Promise.all(
      [['comments', 'people'], ['comments'], ['notes', 'people']].map(async (include) => {
        const page = await open((await shareRun(include)).path)
        expectSafe(page)
        return page.text
      }),
    )
    expect(named).toContain(`<p class="said">&lt;i&gt;asked&lt;/i&gt; @${person.name} shot</p>`)
    expect(named).toContain(`<b>${person.name}</b>`)
    expect(anonymous).toContain('<p class="said">&lt;i&gt;asked&lt;/i&gt; @someone shot</p>')
    expect(anonymous).not.toContain(person.name)
    for (const text of [named, anonymous]) {
      expect(text).toContain('We release it.')
      expect(text?.match(/talk \d+\./g)).toEqual(Array.from({ length: 19 }, (_, index) => `talk ${index + 3}.`))
      expect(text).toContain('Earlier comments are not shown.')
      expect(text).not.toMatch(/a mistake|about what passed/)
    }
    expect(without).not.toMatch(/talk|We release it/)
  })

  it('returns 404 for an unknown secret and 410 for one that expired or was revoked, as pages that lead nowhere', async () => {
    const [expired, revoked] = [await shareRun(), await shareRun()]
    await sql`update shares set expires_at = now() where id = ${expired.id}`.execute(server.db)
    const path = `/v1/projects/${made.project.id}/shares/${revoked.id}`
    await server.request('DELETE', path, { token: made.token })
    const unknown = `/shared/${generateTokenSecret('share')}`
    for (const [address, status] of [
      [unknown, 404],
      ['/shared/x', 404],
      [`${unknown}/export`, 404],
      [expired.path, 410],
      [revoked.path, 410],
      [`${expired.path}/export`, 410],
      [`${expired.path}/files/${made.attachmentId}`, 410],
    ] as const) {
      const page = await open(address)
      expect([address, page.status]).toEqual([address, status])
      expectSafe(page)
      expect(page.text).not.toContain('href="/"')
    }
  })

  it('returns 403 while the project has turned shared reports off', async () => {
    const { path } = await shareRun()
    await sql`update projects set shares = 'off' where id = ${made.project.id}`.execute(server.db)
    expect((await open(path)).status).toBe(403)
    await sql`update projects set shares = 'members' where id = ${made.project.id}`.execute(server.db)
    expect((await open(path)).status).toBe(200)
  })

  it('counts views of the first page, and stores them together after some seconds', async () => {
    const { token, run } = made
    const { id, path } = await shareRun()
    for (const query of ['', '?all=1', '?page=2', '']) await open(`${path}${query}`)
    const read = async () => {
      const shares = await server.request<{ data: { id: string; view_count: number }[] }>(
        'GET',
        `/v1/runs/${run.id}/shares`,
        {
          token,
        },
      )
      return shares.body.data.find((one) => one.id === id)?.view_count
    }
    expect(await read()).toBe(0)
    await expect.poll(read, { timeout: 10_000, interval: 500 }).toBe(3)
  })

  it('has 500 results on a page, and up to 5,000 on one', async () => {
    const run = await makeRun(server, made.project)
    await sql`
      insert into test_results (project_id, run_id, run_group, id, title, status)
      select ${made.project.id}::uuid, ${run.id}::uuid, 0, gen_random_uuid(), 'Row ' || n || '.', 'passed'
      from generate_series(1, 1200) n`.execute(server.db)
    await sql`delete from test_results where run_id = ${run.id} and case_number is not null`.execute(server.db)
    await sql`update runs set passed_count = 1200, not_tested_count = 0 where id = ${run.id}`.execute(server.db)
    const { path } = await shareRun([], run.id)
    const pages = await Promise.all(['', '?page=2', '?page=3', '?all=1'].map((query) => open(`${path}${query}`)))
    const titles = pages.map(({ text }) => [...text.matchAll(/>Row (\d+)\.</g)].map(([, number]) => Number(number)))
    expect(titles.map(({ length }) => length)).toEqual([500, 500, 200, 1200])
    expect(new Set(titles.slice(0, 3).flat()).size).toBe(1200)
    expect(pages[1]?.text).toContain('Page 2 of 3')
  })
})

describe('GET /shared/:secret of a chain and of a milestone', () => {
  it('counts a test case once, with its result in the newest run that has tested it', async () => {
    const { id: milestoneId } = await makeMilestone(server, made.project, { name: 'Release 2.4' })
    const run = await makeRun(server, made.project, { milestone_id: milestoneId })
    const { token } = made
    for (const id of ['WEB-1', 'WEB-2']) {
      await server.request('PUT', `/v1/runs/${run.id}/results/${id}`, { token, body: { status: 'failed' } })
    }
    const rerun = await server.request<{ data: { id: string } }>('POST', `/v1/runs/${run.id}/reruns`, {
      token,
      body: {},
    })
    const passed = { token, body: { status: 'passed' } }
    await server.request('PUT', `/v1/runs/${rerun.body.data.id}/results/WEB-1`, passed)
    const milestonePath = `/v1/projects/${made.project.id}/milestones/${milestoneId}`
    const shares = [await shareRun([], run.id), await share(server, token, milestonePath, ['notes'])]
    for (const { path } of shares) {
      const page = await open(path)
      expectSafe(page)
      expect(page.text).toContain('aria-label="67 % tested: 1 passed, 1 failed, 1 not tested"')
      expect(page.text).toContain('Nightly, rerun 1')
    }
    const file = await fetch(`${server.url}${shares[1]?.path}/export?format=xlsx`)
    const [sheet] = await readXlsxFile(Buffer.from(await file.arrayBuffer()))
    expect(sheet?.data.map((row) => [row[0], row[2], row[4]])).toEqual([
      ['Run', 'Test case', 'Status'],
      ['Nightly, rerun 1', 'WEB-1', 'Passed'],
      ['Nightly', 'WEB-2', 'Failed'],
      ['Nightly', 'WEB-3', 'Not tested'],
    ])
  })
})

describe('GET /shared/:secret/files/:attachment_id', () => {
  it('returns a file of the report with headers with which no browser runs it, and no other file of the project', async () => {
    const { path } = await shareRun(['files'])
    const response = await fetch(`${server.url}${path}/files/${made.attachmentId}`)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringContaining('filename="shot.png"'),
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex, nofollow',
    })
    const other = await makeRun(server, made.project)
    const elsewhere = await shareRun(['files'], other.id)
    expect((await open(`${elsewhere.path}/files/${made.attachmentId}`)).status).toBe(404)
    expect((await open(`${(await shareRun()).path}/files/${made.attachmentId}`)).status).toBe(404)
    expect((await open(`${path}/files/x`)).status).toBe(404)
  })
})

describe('a server with RATE_LIMIT=2 and ALLOW_SHARES=0', () => {
  it('counts requests for reports by the address of the client, pages apart from files, and refuses to share any', async () => {
    const limited = await startServerForTest({ rateLimit: 2, allowShares: 0 })
    const get = async (path: string) => (await fetch(`${limited.url}/shared/x${path}`)).status
    expect([await get(''), await get('/export'), await get(''), await get('/files/y')]).toEqual([404, 404, 429, 404])
    const project = await makeProject(limited)
    const run = await makeRun(limited, project)
    const options = { token: project.admin.token, body: { name: 'x', include: [] } }
    const problem = await limited.expectProblem(403, 'POST', `/v1/runs/${run.id}/shares`, options)
    expect(problem).toMatchObject({ code: 'shares_disabled', detail: expect.stringContaining('ALLOW_SHARES') })
  })
})
