import { expect, it } from 'vitest'

import { MAX_GROWTH_MB, sendThroughKills } from './send-through-kills.ts'

it('a file in parts arrives through a killed client, a server that is killed twice and a second one, and is read as text', async () => {
  const { receivedMb, servedMb } = await sendThroughKills(5)
  expect(receivedMb).toBeLessThan(MAX_GROWTH_MB)
  expect(servedMb).toBeLessThan(MAX_GROWTH_MB)
})
