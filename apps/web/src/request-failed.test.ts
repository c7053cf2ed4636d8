import { createClient } from '@caseward/client'
import { getMe } from '@caseward/client/endpoints'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { describeFailure } from './problems.ts'
import { onConfirmationRequired, onRefused, request } from './request-failed.ts'
import { startServer } from './start-server.test.helper.ts'

const required = {
  type: 'about:blank',
  title: 'Forbidden',
  status: 403,
  detail: 'Confirm that it is you.',
  code: 'confirmation_required',
  confirmation_methods: ['totp', 'recovery_code'],
}

let isConfirmed: boolean
let requestCount: number
let server: Awaited<ReturnType<typeof startServer>>
beforeEach(async () => {
  isConfirmed = false
  requestCount = 0
  server = await startServer((_, response) => {
    requestCount += 1
    const [status, body] = isConfirmed ? [200, { data: { id: 'u-1' } }] : [403, required]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})
afterEach(() => server.close())

const send = () => request(createClient({ url: server.url, retries: { limit: 0 } }), getMe)

describe('a request that needs a confirmation', () => {
  it('is sent again once the user has confirmed in one of the ways that the server names', async () => {
    const asked: (readonly string[])[] = []
    onTestFinished(
      onConfirmationRequired((methods) => {
        asked.push(methods)
        // The first answer is one that the server does not know of.
        isConfirmed = asked.length === 2
        return Promise.resolve(true)
      }),
    )
    expect((await send()).status).toBe(200)
    expect(asked).toEqual([required.confirmation_methods, required.confirmation_methods])
    expect(requestCount).toBe(3)
  })

  it('fails if the user does not confirm, and says that nothing was changed', async () => {
    const refusals: number[] = []
    onTestFinished(onRefused((status) => refusals.push(status)))
    onTestFinished(onConfirmationRequired(() => Promise.resolve(false)))
    const error = await send().catch((reason: unknown) => reason)
    expect(describeFailure(error).message).toMatch(/^Nothing was changed, because you did not confirm/)
    expect(requestCount).toBe(1)
    // The rights of the user are as before.
    expect(refusals).toEqual([])
  })
})
