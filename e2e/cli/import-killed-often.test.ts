import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { importWithKills, listRepeated, TESTRAIL } from './killed-import.ts'

const KILLS = 10

const server = useSharedServer()

it('caseward import testrail > writes an equal bundle after it was killed at ten moments', async () => {
  const { signals, requests, wholeRequests, bundle, wholeBundle } = await importWithKills(server, TESTRAIL, (count) =>
    Array.from({ length: KILLS }, (_, index) => {
      const moment = 3 + Math.floor((index * (count - 20)) / KILLS)
      return (_request, total) => total >= moment
    }),
  )
  expect(signals).toEqual(Array.from({ length: KILLS }, () => 'SIGKILL'))
  expect(new Set(requests)).toEqual(new Set(wholeRequests))
  // At most the four requests that ran when it was killed come again.
  expect(listRepeated(requests).length).toBeLessThanOrEqual(KILLS * 4)
  expect(bundle.equals(wholeBundle)).toBe(true)
})
