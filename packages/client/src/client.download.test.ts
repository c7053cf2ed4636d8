import { describe, expect, it } from 'vitest'

import { getFileContent } from './endpoints.generated.ts'
import { createTestClient, html, json, problem, startServer } from './fake-server.test.helper.ts'

const input = { params: { project_id: 'p', file_id: 'f' }, query: { name: 'a b.png' } }

describe('Client.download', () => {
  it('returns the response, whose body is still to be read', async () => {
    const { url, requests } = await startServer((_, response) => {
      response.writeHead(206, { 'content-type': 'image/png', 'content-range': 'bytes 0-1/9' }).end(Buffer.from([1, 2]))
    })
    const reply = await createTestClient(url).download(getFileContent, { ...input, headers: { range: 'bytes=0-1' } })
    expect(reply).toMatchObject({ kind: 'success', status: 206 })
    const bytes = reply.kind === 'success' ? new Uint8Array(await reply.response.arrayBuffer()) : null
    expect(bytes).toEqual(new Uint8Array([1, 2]))
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: '/v1/projects/p/files/f/content?name=a+b.png',
        headers: { authorization: 'Bearer cwc_test', accept: '*/*', range: 'bytes=0-1' },
      },
    ])
  })

  it('returns 304 as a success without a body', async () => {
    const { url } = await startServer((_, response) => void response.writeHead(304).end())
    expect(await createTestClient(url).download(getFileContent, input)).toMatchObject({ kind: 'success', status: 304 })
  })

  it('returns a problem, a page of a proxy, a redirect and a failure as what they are', async () => {
    const { url, close } = await startServer(json(404, problem), html(502), (_, response) => {
      response.writeHead(303, { location: '/elsewhere' }).end()
    })
    const download = () => createTestClient(url).download(getFileContent, input)
    expect(await download()).toMatchObject({ kind: 'problem', status: 404, problem: { code: 'not_found' } })
    expect(await download()).toMatchObject({ kind: 'unreadable', reason: 'not-json', status: 502 })
    expect(await download()).toMatchObject({ kind: 'unreadable', reason: 'redirect', location: '/elsewhere' })
    await close()
    expect(await download()).toMatchObject({ kind: 'unreachable' })
  })
})
