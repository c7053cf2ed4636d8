import { makeProject, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it, vi } from 'vitest'

import { type CompleteAttachment, html } from './sample-files.test.helper.ts'

const HOST = 'files.example.test'
const server = useTestServer({ filesOrigin: `https://${HOST}` })
const onFilesHost = { headers: { host: HOST } }

let browser: Awaited<ReturnType<typeof makeSignedInUser>>['browser']
let token: string
let projectId: string
let attachment: CompleteAttachment

beforeAll(async () => {
  const project = await makeProject(server)
  projectId = project.id
  token = project.admin.token
  const run = await makeRun(server, project)
  const member = await makeSignedInUser(server)
  browser = member.browser
  await server.db
    .insertInto('memberships')
    .values({ project_id: projectId, user_id: member.id, role: 'viewer' })
    .execute()
  const { body } = await server.request<{ data: CompleteAttachment }>(
    'POST',
    `/v1/runs/${run.id}/attachments?name=${encodeURIComponent('page 1.html')}`,
    { token, body: html },
  )
  attachment = body.data
})

/** The path and query of the address to which a browser is sent. */
async function getAddress(url = attachment.url): Promise<string> {
  const { status, location, headers } = await browser.get(url)
  expect([status, headers.get('cache-control')]).toEqual([303, 'private, no-store'])
  expect(location).toMatch(new RegExp(`^https://${HOST}/content/`))
  return (location ?? '').slice(`https://${HOST}`.length)
}

describe('GET …/content with FILES_ORIGIN', () => {
  it('sends a browser to an address of the other host, where the bytes are served without cookies', async () => {
    const address = await getAddress()
    const { status, headers, body } = await server.request('GET', address, onFilesHost)
    expect([status, body]).toEqual([200, html.toString()])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="page 1.html"; filename*=UTF-8''page%201.html`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers.get('set-cookie')).toBeNull()
    const etag = headers.get('etag') ?? ''
    const again = await server.request('GET', address, { headers: { host: HOST, 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const range = await server.request('GET', address, { headers: { host: HOST, range: 'bytes=2-8' } })
    expect([range.status, range.body]).toEqual([206, html.subarray(2, 9).toString()])
  })

  it('answers programs with the bytes: those with a token, and those that ask for bytes', async () => {
    expect((await server.request('GET', attachment.url, { token })).body).toBe(html.toString())
    const asked = await browser.send('GET', attachment.url, { headers: { accept: 'application/octet-stream' } })
    expect([asked.status, asked.text]).toEqual([200, html.toString()])
  })

  it('signs the file, the viewer, the name, the disposition and the time', async () => {
    const address = await getAddress()
    for (const [pattern, replacement] of [
      [/viewer=[^&]+/, `viewer=${projectId}`],
      [/expires=\d+/, 'expires=99999999999'],
      [/name=[^&]+/, 'name=a.html'],
      [/signature=/, 'download=1&signature='],
      [/signature=.{4}/, 'signature=AAAA'],
      [/signature=.*/, 'signature='],
      [/\/content\/[^/]+/, `/content/${attachment.file_id}`],
    ] as const) {
      const changed = address.replace(pattern, replacement)
      expect(changed).not.toBe(address)
      const problem = await server.expectProblem(403, 'GET', changed, onFilesHost)
      expect(problem.code).toBe('invalid_address')
    }
    await server.expectProblem(400, 'GET', address.replace(/&signature=.*/, ''), onFilesHost)
    expect((await getAddress(`${attachment.url}&download=1`)).includes('download=1')).toBe(true)
  })

  it('lets an address work for five minutes', async () => {
    const address = await getAddress()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3.5 * 60_000 })
    try {
      expect((await server.request('GET', address, onFilesHost)).status).toBe(200)
      vi.setSystemTime(Date.now() + 1.5 * 60_000)
      const problem = await server.expectProblem(403, 'GET', address, onFilesHost)
      expect(problem.code).toBe('address_expired')
    } finally {
      vi.useRealTimers()
    }
  })

  it.each(['/', '/sign-in', '/v1/me', '/healthz', '/metrics', '/docs', '/assets/a.js', '/content/a', '/shared/a'])(
    'returns 404 for %s on the other host',
    async (path) => {
      const page = await browser.send('GET', path, { headers: { host: HOST, accept: 'text/html' } })
      expect([page.status, page.headers.get('set-cookie')]).toEqual([404, null])
      expect(page.headers.get('content-type')).toBe('application/problem+json')
    },
  )

  it('serves neither contents nor the viewer of traces on the host of the app', async () => {
    for (const path of [await getAddress(), '/trace/', '/trace/sw.bundle.js']) {
      await server.expectProblem(404, 'GET', path)
    }
    const viewer = await server.request('GET', '/trace/', { headers: { host: HOST.toUpperCase() } })
    expect([viewer.status, viewer.headers.get('cross-origin-opener-policy')]).toEqual([200, 'unsafe-none'])
    expect(viewer.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^']+';/)
    expect(viewer.body).toContain('Playwright Trace Viewer')
    const license = await server.request('GET', '/trace/LICENSE', onFilesHost)
    expect(license.body).toContain('Apache License')
    for (const path of ['/trace/../index.html', '/trace/..%2findex.html', '/trace/missing.js']) {
      expect((await server.request('GET', path, onFilesHost)).status).toBeGreaterThan(399)
    }
  })

  it('names the other host in the policy of the app, and the viewer to its users', async () => {
    const policy = (await browser.get('/')).headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        `img-src 'self' data: https://${HOST}`,
        `media-src 'self' https://${HOST}`,
        "connect-src 'self'",
        "script-src 'self'",
      ]),
    )
    const me = JSON.parse((await browser.get('/v1/me')).text) as { data: { trace_viewer_url: string } }
    expect(me.data.trace_viewer_url).toBe(`https://${HOST}/trace/`)
  })
})

describe('shared reports with FILES_ORIGIN', () => {
  it('may show pictures and videos of the other host', async () => {
    const { headers } = await server.request('GET', '/shared/unknown')
    const files = `'self' https://${HOST}`
    expect(headers.get('content-security-policy')).toContain(`img-src ${files}; media-src ${files};`)
  })
})
