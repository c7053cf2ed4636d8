import { openRawRequest } from '@caseward/test-support/raw-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('the Host header', () => {
  it.each([
    ['for different hosts', ['Host: caseward.test', 'Host: elsewhere.test']],
    ['for the same host', ['Host: caseward.test', 'Host: caseward.test']],
    ['in different letter case', ['host: caseward.test', 'HOST: elsewhere.test']],
  ])('returns 400 when there are two of them: %s', async (_what, hosts) => {
    for (const path of ['/v1/projects', '/healthz']) {
      const request = openRawRequest(server.url, [`GET ${path} HTTP/1.1`, ...hosts, ''])
      const { status, head, body } = await request.response
      expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'malformed_request' }])
      expect(head).toMatch(/^x-request-id: \S+$/im)
      request.socket.destroy()
    }
  })

  it('is accepted when there is one of it', async () => {
    const request = openRawRequest(server.url, ['GET /healthz HTTP/1.1', 'Host: caseward.test', ''])
    expect((await request.response).status).toBe(200)
    request.socket.destroy()
  })
})
