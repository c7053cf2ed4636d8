import { FILE_PART_BYTES } from '@caseward/contract/endpoint'
import { expect, it } from 'vitest'

import { MAX_GROWTH_MB, sendThroughKills } from './send-through-kills.ts'

/** For trials of other sizes. */
const SIZE_MB = Number(process.env['LARGE_FILE_MB'] ?? 1024)
/** Of one that writes each byte three times, on a busy machine. */
const TIMEOUT_MS = 900_000

it(
  'a file of 1 GB in parts arrives through a killed client, a server that is killed twice and a second one, in flat memory',
  { timeout: TIMEOUT_MS },
  async () => {
    const figures = await sendThroughKills(Math.ceil((SIZE_MB * 1_048_576) / FILE_PART_BYTES))
    process.stdout.write(`${SIZE_MB} MB in parts: ${JSON.stringify(figures)}\n`)
    expect(figures.receivedMb).toBeLessThan(MAX_GROWTH_MB)
    expect(figures.servedMb).toBeLessThan(MAX_GROWTH_MB)
    // Windows do not depend on the size of the text.
    expect(figures.windowMs).toBeLessThan(1000)
  },
)
