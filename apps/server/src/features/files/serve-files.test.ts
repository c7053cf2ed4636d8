import { beforeAll, describe, expect, it } from 'vitest'

import type { FileText } from '@caseward/contract/files'
import { makeProject, makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import {
  type CompleteAttachment,
  gif,
  gifScript,
  html,
  makePng,
  mp4,
  pdf,
  svg,
  xml,
} from './sample-files.test.helper.ts'

const server = useSharedServer()
let project: Awaited<ReturnType<typeof makeProject>>
let path: string

beforeAll(async () => {
  project = await makeProject(server)
  path = `/v1/runs/${(await makeRun(server, project)).id}/attachments`
})

async function attach(
  body: Buffer,
  name = 'file.bin',
  headers: Record<string, string> = {},
): Promise<CompleteAttachment> {
  const response = await server.request<{ data: CompleteAttachment }>(
    'POST',
    `${path}?name=${encodeURIComponent(name)}`,
    {
      token: project.admin.token,
      body,
      headers,
    },
  )
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  return response.body.data
}

/** Requests a content with what fetch would hide from a test: its bytes. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(server.url + url, {
    method,
    headers: { authorization: `Bearer ${project.admin.token}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('GET /v1/projects/:project_id/files/:file_id/content', () => {
  it('returns the bytes with headers that let no browser run anything', async () => {
    const content = makePng()
    const { url, sha256 } = await attach(content, 'shot.png')
    const { status, headers, bytes } = await get(url)
    expect([status, bytes]).toEqual([200, content])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'content-disposition': `inline; filename="shot.png"; filename*=UTF-8''shot.png`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
    })
  })

  it.each([
    ['HTML', html, 'page.html', 'text/plain; charset=utf-8', 'attachment'],
    ['SVG', svg, 'picture.svg', 'text/plain; charset=utf-8', 'attachment'],
    ['XML with a style sheet', xml, 'data.xhtml', 'text/plain; charset=utf-8', 'attachment'],
    ['a PDF file', pdf, 'report.pdf', 'application/octet-stream', 'attachment'],
    ['HTML named as an image', html, 'shot.png', 'text/plain; charset=utf-8', 'attachment'],
    ['a GIF image that is a script', gifScript, 'a.js', 'image/gif', 'inline'],
    ['a video', mp4, 'video.mp4', 'video/mp4', 'inline'],
    ['an image of 65,535 x 65,535', makePng(65_535, 65_535), 'a.png', 'application/octet-stream', 'attachment'],
  ])('serves %s as what it is, whatever its Content-Type said', async (_, content, name, type, disposition) => {
    const { url } = await attach(content, name, { 'content-type': 'text/html' })
    const { headers, bytes } = await get(url)
    expect(bytes).toEqual(content)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`))
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  it('forces a download with download=1', async () => {
    const { url } = await attach(gif, 'a.gif')
    expect((await get(`${url}&download=1`)).headers.get('content-disposition')).toMatch(/^attachment; filename="a.gif"/)
  })

  it.each([
    ['../../etc/passwd', `filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    ['a"b\\c;d.png', `filename="a_b_c;d.png"; filename*=UTF-8''a_b_c%3Bd.png`],
    ['r\u00e9sum\u00e9 50%.txt', `filename="r_sum_ 50_.txt"; filename*=UTF-8''r%C3%A9sum%C3%A9%2050%25.txt`],
    ['CON:*?<>|', `filename="CON______"; filename*=UTF-8''CON______`],
    ["it's (1).txt", `filename="it's (1).txt"; filename*=UTF-8''it%27s%20%281%29.txt`],
  ])('makes %j safe in Content-Disposition', async (name, expected) => {
    const { url } = await attach(Buffer.from('text'), name)
    expect((await get(url)).headers.get('content-disposition')).toBe(`attachment; ${expected}`)
  })

  it('makes any name of the query safe, too', async () => {
    const { url } = await attach(Buffer.from('text'))
    const ask = async (name: string) => {
      const { headers } = await get(url.replace(/name=.*/, `name=${encodeURIComponent(name)}`))
      return headers.get('content-disposition')
    }
    expect(await ask('a\r\nset-cookie: b=c')).toContain('filename="a__set-cookie_ b=c"')
    expect(await ask('gpj.\u202eexe')).toContain('filename="gpj._exe"')
    expect(await ask('😀'.repeat(100))).toContain(`filename*=UTF-8''${'%F0%9F%98%80'.repeat(100)}`)
    expect((await get(`${url}%00`)).status).toBe(400)
  })

  it('returns one range of bytes', async () => {
    const { url } = await attach(Buffer.from('0123456789'))
    const { status, headers, bytes } = await get(url, { range: 'bytes=2-4' })
    expect([status, bytes.toString(), headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
    expect(headers.get('content-length')).toBe('3')
    expect((await get(url, { range: 'bytes=-2' })).bytes.toString()).toBe('89')
    expect((await get(url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  it.each(['bytes=10-', 'bytes=0-1,4-5', `bytes=${'0-,'.repeat(2000)}`])(
    'returns 416 for the range %s',
    async (range) => {
      const { url } = await attach(Buffer.from('0123456789'))
      const { status, headers } = await get(url, { range })
      expect([status, headers.get('content-range')]).toEqual([416, 'bytes */10'])
      expect(headers.get('content-type')).toBe('application/problem+json')
    },
  )

  it('returns 304 to a client that has the content, and the headers without it for HEAD', async () => {
    const { url, sha256 } = await attach(Buffer.from('cached'))
    const cached = await get(url, { 'if-none-match': `W/"x", "${sha256}"` })
    expect([cached.status, cached.bytes.length, cached.headers.get('etag')]).toEqual([304, 0, `"${sha256}"`])
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '6', 0])
  })

  it('returns 404 for an unknown file, and for one of another project', async () => {
    const { url, file_id: id } = await attach(Buffer.from('private'))
    const other = await makeProject(server)
    const { token } = other.admin
    await server.expectProblem(404, 'GET', `/v1/projects/${other.id}/files/${id}/content`, { token })
    await server.expectProblem(403, 'GET', url, { token })
    await server.expectProblem(401, 'GET', url)
    for (const unknown of ['x', other.id]) {
      await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/files/${unknown}/content`, {
        token: project.admin.token,
      })
    }
  })
})

describe('GET /v1/projects/:project_id/files/:file_id/text', () => {
  const getText = async (url: string, query = '') => {
    const { token } = project.admin
    return (await server.request<{ data: FileText }>('GET', url.replace(/content.*/, `text${query}`), { token })).body
      .data
  }
  const line = `${'x'.repeat(99)}\n`

  it('returns at most 256 KB, up to the end of a line, and the next part after it', async () => {
    const content = Buffer.from(line.repeat(5000))
    const { url } = await attach(content, 'server.log')
    const first = await getText(url)
    expect(first).toMatchObject({ from: 0, to: 262_100, byte_count: 500_000 })
    const second = await getText(url, `?from=${first.to}`)
    expect([first.text + second.text, second.to]).toEqual([content.toString(), 500_000])
    expect((await getText(url, '?from=150&to=460')).text).toBe(line.repeat(3).slice(50, 300))
    expect(await getText(url, '?from=500000')).toMatchObject({ text: '', from: 500_000, to: 500_000 })
  })

  it('decodes UTF-16 wherever a part begins', async () => {
    const { url } = await attach(Buffer.from('\ufeffone\nzwölf\n', 'utf16le'), 'old.log')
    expect((await getText(url)).text).toBe('one\nzwölf\n')
    expect(await getText(url, '?from=11')).toMatchObject({ text: 'wölf\n', from: 12, to: 22 })
  })

  it('refuses what is no text, and a part that ends before it begins', async () => {
    const { token } = project.admin
    const { url } = await attach(gif, 'b.gif')
    const problem = await server.expectProblem(422, 'GET', url.replace(/content.*/, 'text'), { token })
    expect(problem.code).toBe('not_text')
    const { url: other } = await attach(Buffer.from('short'), 'a.txt')
    await server.expectProblem(400, 'GET', other.replace(/content.*/, 'text?from=4&to=2'), { token })
  })
})
