import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('X-Request-Id', () => {
  const sendRequestId = async (sentId?: string) => {
    const headers: Record<string, string> = sentId === undefined ? {} : { 'x-request-id': sentId }
    return (await server.request('GET', '/healthz', { headers })).headers.get('x-request-id')
  }

  it('is a new id in each response when the request has none', async () => {
    const [first, second] = [await sendRequestId(), await sendRequestId()]
    expect(first).toMatch(/^[\w-]{12}-[0-9a-z]+$/)
    expect(second).not.toBe(first)
  })

  it.each([['abc'], ['req:1/2;{"x"}'], ['x'.repeat(128)]])(
    'is returned and logged when the request has the valid id %s',
    async (id) => {
      expect(await sendRequestId(id)).toBe(id)
      expect(server.logged.some((line) => (JSON.parse(line) as { request_id?: string }).request_id === id)).toBe(true)
    },
  )

  it.each([[''], ['a b'], ['x'.repeat(129)], ['caf\u00e9'], ['a\tb'], ['\u0085']])(
    'is a new id when the request has the invalid id %j',
    async (id) => {
      expect(await sendRequestId(id)).toMatch(/^[\w-]{12}-[0-9a-z]+$/)
    },
  )

  it('is in the responses to failed requests, unknown paths and malformed paths', async () => {
    const headers = { 'x-request-id': 'mine' }
    for (const path of ['/v1/projects', '/nowhere', '/v1/projects/%E0%A4%A', `/v1/projects/${'x'.repeat(400)}`]) {
      const response = await server.request('GET', path, { headers })
      expect(response.headers.get('x-request-id')).toBe('mine')
    }
  })
})
