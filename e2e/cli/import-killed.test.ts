import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { importWithKills, listRepeated, type Moment, TESTRAIL } from './killed-import.ts'
import { TOOLS } from './tool-cases.ts'

const server = useSharedServer()

const XRAY = TOOLS.filter(({ system }) => system === 'xray')

// Between two pages of a list, and while files are read: of an API with an address for each list, and of one that is queried.
const CASES = [
  { tool: TESTRAIL, moments: [/get_results_for_run\/3&.*offset=50/, /get_attachment\/7 /] },
  ...XRAY.map((tool) => ({ tool, moments: [/getTests\(.*start: 50/, /attachments\/7 /] })),
].map((item) => ({ ...item, system: item.tool.system }))

it.each(CASES)(
  'caseward import $system > goes on where it was killed, asks for no page twice, and writes an equal bundle',
  async ({ tool, moments }) => {
    const { signals, requests, wholeRequests, bundle, wholeBundle } = await importWithKills(server, tool, () =>
      moments.map(
        (moment): Moment =>
          (request) =>
            moment.test(request),
      ),
    )
    expect(signals).toEqual(['SIGKILL', 'SIGKILL'])
    expect(new Set(requests)).toEqual(new Set(wholeRequests))
    // At most the four requests that ran when it was killed come again.
    expect(listRepeated(requests).length).toBeLessThanOrEqual(2 * 4)
    expect(bundle.equals(wholeBundle)).toBe(true)
  },
)
