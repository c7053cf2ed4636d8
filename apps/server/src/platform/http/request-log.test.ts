import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

async function sendRequests(server: TestServer): Promise<void> {
  const { token } = await makeUser(server)
  for (const path of ['/v1/projects', '/v1/projects?page=0', '/healthz', '/v1/projects/%E0%A4%A', '/nowhere']) {
    await server.request('GET', path, { token })
  }
  await server.request('GET', '/v1/projects')
}

function getLoggedStatuses({ logged }: TestServer): number[] {
  const lines = logged.map((line) => JSON.parse(line) as { msg: string; status: number })
  return lines.filter(({ msg }) => msg === 'request').map(({ status }) => status)
}

describe('LOG_REQUESTS', () => {
  it('logs every request with "all"', async () => {
    const server = await startServerForTest({ logRequests: 'all' })
    await sendRequests(server)
    // A response arrives before its line is written.
    await expect.poll(() => getLoggedStatuses(server)).toEqual([200, 400, 200, 404, 404, 401])
  })

  it('logs only requests with a 4xx or 5xx status with "errors"', async () => {
    const server = await startServerForTest({ logRequests: 'errors' })
    await sendRequests(server)
    await expect.poll(() => getLoggedStatuses(server)).toEqual([400, 404, 404, 401])
  })
})
