import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useTestServer()
const project = useFixtureProject('node-test', 'node-test', ['@caseward/node-test'])

const specReporter = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
const casewardReporter = ['--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']

describe('node --test that is stopped, watches or has no server', () => {
  it('does nothing in watch mode', async () => {
    const scenario = await createScenario(server)
    const running = project.start(
      'node',
      [...casewardReporter, ...specReporter, '--watch', 'standalone/passes.js'],
      scenario.env,
    )
    await running.prints('WEB-2 passes')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect([stderr, await project.spooled()]).toEqual(['', ''])
  })

  it('saves results at the end of a forced exit, before SIGKILL or SIGINT and without a server, and sends them with the next run', async () => {
    const later = await createScenario(server)
    const proxy = await startProxy(server.url)
    await proxy.close()
    const env = { ...later.env, SERVICE_URL: proxy.url }
    const run = (...args: string[]) => project.run('node', [...casewardReporter, '--test', ...args], env)

    // Node 20 ends the process before its reporters have read to the end.
    const forced = await run('--test-force-exit', 'standalone/open-handle.js')
    expect(forced.exitCode).toBe(0)
    expect(await project.spooled()).toContain('WEB-4 passes')

    const unreachable = await run('standalone/passes.js')
    expect(unreachable).toMatchObject({ exitCode: 0, stdout: '' })
    expect(unreachable.stderr).toContain('nothing was stored')

    await proxy.reopen()
    // A file that hangs never ends for Node, which waits for it: it is killed in the end, as here.
    const stop = async (first: number, signal: NodeJS.Signals) => {
      const suiteOfTwo = ['--test', '--test-concurrency=1', 'standalone/next.js', 'standalone/waits.js']
      const args = [...casewardReporter, ...specReporter, ...suiteOfTwo]
      const running = project.start('node', args, { ...env, FIRST: String(first) })
      await running.prints('it is done')
      await expect.poll(project.spooled, { timeout: 60_000 }).toContain(`WEB-${first} passes`)
      running.child.kill(signal)
      await running.ended
    }
    await Promise.all([stop(11, 'SIGKILL'), stop(21, 'SIGINT')])
    expect(await project.spooled()).toContain('WEB-9 passes')
    expect(await later.statuses()).toEqual({})

    // All results are stored, so that the option changes nothing.
    const args = [...casewardReporter, '--test', 'tests/web-32.test.js']
    expect(await project.run('node', args, { ...env, SERVICE_STRICT: '1' })).toMatchObject({ exitCode: 0, stdout: '' })
    await proxy.close()
    const ids = ['WEB-1', 'WEB-2', 'WEB-4', 'WEB-9', 'WEB-11', 'WEB-21', 'WEB-32']
    expect(await later.statuses()).toEqual(Object.fromEntries(ids.map((id) => [id, 'passed'])))
    expect(await project.spooled()).toBe('')
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const strict = { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong', SERVICE_STRICT: '1' }
    expect((await project.run('node', [...casewardReporter, '--test', 'standalone/passes.js'], strict)).exitCode).toBe(
      1,
    )
  })
})
