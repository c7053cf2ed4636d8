import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()

describe('caseward quarantine', () => {
  it('quarantines a test, so that its failures do not block, lists it, and ends it', async () => {
    const { build, ci, findTestId, token } = await makeEvaluationScenario(server)
    const { id } = await build({ flaps: 'failed' }, { isOpen: true })
    const testId = await findTestId('flaps')
    const caseward = (args: readonly string[], as = token) =>
      runInProcess(args, { cwd: '/', env: { SERVICE_URL: server.url, SERVICE_TOKEN: as } })
    const gate = async () => (await caseward(['gate', '--run', id], ci)).exitCode
    expect(await gate()).toBe(2)

    const add = ['quarantine', 'add', 'flaps', '--reason', 'Race in the cart', '--branch', 'main', '--branch', 'v*']
    const added = await caseward([...add, '--link', 'https://tracker.example.com/SHOP-41'])
    expect(added).toMatchObject({ exitCode: 0, stderr: '' })
    expect(added.stdout).toMatch(
      new RegExp(`^Quarantined: ${testId}  until \\d{4}-\\d\\d-\\d\\d  .*flaps.*  main, v\\*  .*  Race in the cart\n$`),
    )
    expect(await gate()).toBe(0)
    expect(await caseward(add)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already_quarantined') })
    expect(await caseward(add.slice(0, 3))).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--reason') })
    const late = ['quarantine', 'add', testId, '--reason', 'x', '--until', '2099-01-01']
    expect(await caseward(late)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--until must be at most 30 days from now'),
    })

    const { stdout } = await caseward(['quarantine', 'list'], ci)
    expect(stdout).toBe(`1 quarantine:\n${added.stdout.replace('Quarantined: ', '')}`)

    const end = ['quarantine', 'end', testId, '--reason', 'Fixed']
    expect(await caseward(end, ci)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/403/) })
    expect(await caseward(end)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Ended: .*  ended \d{4}-/),
    })
    expect(await gate()).toBe(2)
    expect(await caseward(end)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not in quarantine') })
    expect((await caseward(['quarantine', 'list'], ci)).stdout).toBe('No quarantines.\n')
    const all = await caseward(['quarantine', 'list', '--all', '--json'], ci)
    expect(JSON.parse(all.stdout)).toMatchObject({
      quarantines: [{ test_id: testId, reason: 'Race in the cart', is_active: false, end_reason: 'Fixed' }],
    })
  })
})
