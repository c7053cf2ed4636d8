import { beforeAll, describe, expect, it } from 'vitest'

import { attack, type AttackResult, getStatuses, list, testEndurance, TIMEOUT_MS } from './run-attacks.ts'
import { LARGE_ATTACKS } from './large-attacks.ts'

/**
 * What `npm run attack` sends in addition, and what proves the same here.
 * - Real tests and real results, which cost a third of the time: the documents at the limits are larger.
 * - Deep objects: deep lists have the same limit.
 * - Nested XML in JSON: nested XML, and a long text in JSON.
 * - A million empty tests: refused like those of `upload-size.test.ts`, before they are parsed.
 * - The large ones: `attack-large.test.ts`.
 */
const LEFT_OUT = [
  'XML, 100,000 real tests',
  'JSON, 100,000 real results',
  'JSON, deep objects',
  'XML, nested, in JSON',
  'XML, a million empty tests',
  ...LARGE_ATTACKS,
]

describe('npm run attack, with few clients', () => {
  let results: AttackResult[]
  beforeAll(async () => {
    results = await attack({ except: LEFT_OUT })
  }, TIMEOUT_MS)

  testEndurance(() => results, 17)

  it('is refused where a limit exists', () => {
    for (const name of ['JSON, deep lists', 'JSON, empty objects', 'JSON, an object with a million keys']) {
      expect([name, getStatuses(results, name)]).toEqual([name, ['400']])
    }
    expect(getStatuses(results, '600 invalid tokens')).toContain('401')
  })

  it('keeps nobody from signing in in a known browser', () => {
    const statuses = getStatuses(results, 'sign-ins by 400 clients from 100 addresses')
    expect(statuses).toContain('401')
    expect(statuses.filter((status) => status.includes('known browser'))).toEqual(['201 in a known browser'])
  })

  it('costs other users neither an event stream nor long waits for their own keyed writes', () => {
    expect(results.filter(({ slowestOtherMs }) => slowestOtherMs > 0)).toHaveLength(2)
    // In one queue with the imports, a write takes half as long as all of them, on any machine.
    const isCostly = ({ otherFailures, slowestOtherMs, seconds }: AttackResult) =>
      otherFailures > 0 || slowestOtherMs > 300 * seconds
    expect(list(results, isCostly)).toEqual([])
  })
})
