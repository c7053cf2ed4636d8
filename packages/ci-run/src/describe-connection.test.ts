import { describe, expect, it } from 'vitest'

import { describeProxyUse } from './describe-connection.ts'

const proxy = (problem: 'unreachable' | 'rejected' | null, status: number | null = null) => ({
  address: 'proxy.corp:3128',
  problem,
  status,
})

describe('describeProxyUse', () => {
  it.each([
    [null, 'https://caseward.corp:443', 'No proxy was used: if this network requires one, set HTTPS_PROXY.'],
    [null, 'http://caseward.corp:80', 'No proxy was used: if this network requires one, set HTTP_PROXY.'],
    [
      proxy('unreachable'),
      'https://caseward.corp:443',
      'The proxy proxy.corp:3128 is not reachable: check HTTPS_PROXY, or add caseward.corp to NO_PROXY to connect without it.',
    ],
    [
      proxy('rejected', 407),
      'https://caseward.corp:443',
      'The proxy proxy.corp:3128 requires a user name and password (407): set HTTPS_PROXY to http://user:password@proxy.corp:3128.',
    ],
    [
      proxy('rejected', 403),
      'https://caseward.corp:443',
      'The proxy proxy.corp:3128 refused to connect to caseward.corp:443 (403): allow it there, or add caseward.corp to NO_PROXY to connect without it.',
    ],
    [
      proxy(null),
      'https://caseward.corp:443',
      'The proxy proxy.corp:3128 was used: to connect without it, add caseward.corp to NO_PROXY.',
    ],
  ])('describes %j for %s', (failure, origin, text) => {
    expect(describeProxyUse({ origin, proxy: failure })).toBe(text)
  })
})
