import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { type CasewardProcess, startCaseward } from '@caseward/test-support/caseward-process'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'

interface Created {
  data: { id: string; token: string; stats: Record<string, number> }
}

async function create(caseward: CasewardProcess, path: string, body: object): Promise<Created['data']> {
  const response = await caseward.request('POST', path, body)
  expect(response.status).toBe(201)
  return (response.body as Created).data
}

const CASES = 400
const report = (status: string) =>
  `<testsuite>${Array.from({ length: CASES }, (_, index) => `<testcase name="WEB-${index + 1}">${status}</testcase>`).join('')}</testsuite>`

describe('an upload to a server that receives SIGKILL', () => {
  it('is stored when it was acknowledged, and otherwise stored completely or not at all', async () => {
    const directory = await createTemporaryDirectory()
    const settings = { DATA_DIR: join(directory, 'data') }
    let caseward = await startCaseward(settings)
    const project = await create(caseward, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const test_cases = Array.from({ length: 100 }, () => ({ title: 'A test case' }))
    for (let count = 0; count < CASES; count += 100) {
      await create(caseward, `/v1/projects/${project.id}/test-cases/bulk`, { test_cases })
    }
    const run = await create(caseward, `/v1/projects/${project.id}/runs`, { name: 'Nightly' })
    const { token } = await create(caseward, `/v1/projects/${project.id}/tokens`, { name: 'CI', access: 'write' })
    const upload = async (body: string) =>
      await fetch(`${caseward.url}/v1/results?run_id=${run.id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml' },
        body,
      }).then(({ status }) => status)

    // Killed right after a response, then before or during the transaction.
    for (const [round, waitMs] of [null, 10].entries()) {
      const [status, before] = round % 2 === 0 ? ['passed', 'failed'] : ['failed', 'passed']
      const sent = upload(report(status === 'passed' ? '' : '<failure/>')).catch(() => 0)
      await (waitMs === null ? sent : sleep(waitMs))
      caseward.signal('SIGKILL')
      const acknowledged = (await sent) === 200
      await caseward.ended

      caseward = await startCaseward(settings)
      expect(caseward.stderr()).toContain('is ready')
      const { body } = await caseward.request('GET', `/v1/runs/${run.id}`)
      const { stats } = (body as Created).data
      const isStored = stats[status] === CASES
      expect([isStored || stats[before] === CASES, isStored || !acknowledged]).toEqual([true, true])
      expect(acknowledged || waitMs !== null).toBe(true)
      // The next round must start from this status.
      expect(isStored ? 200 : await upload(report(status === 'passed' ? '' : '<failure/>'))).toBe(200)
    }
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(await findProcessesIn(directory)).toEqual([])
  })
})
