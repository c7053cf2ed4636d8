import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { importWithKills, listRepeated } from './killed-import.ts'

const server = useTestServer()

it('caseward import testrail > goes on where it was killed, asks for no page twice, and writes an equal bundle', async () => {
  // Between two pages of a list, and while files are read.
  const { signals, requests, wholeRequests, bundle, wholeBundle } = await importWithKills(server, () => [
    (request) => /get_results_for_run\/3&.*offset=50/.test(request),
    (request) => request.endsWith('get_attachment/7'),
  ])
  expect(signals).toEqual(['SIGKILL', 'SIGKILL'])
  expect(new Set(requests)).toEqual(new Set(wholeRequests))
  // At most the four requests that ran when it was killed come again.
  expect(listRepeated(requests).length).toBeLessThanOrEqual(2 * 4)
  expect(bundle.equals(wholeBundle)).toBe(true)
})
