import { describe, expect, it } from 'vitest'

import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'

import { startFakeServer } from './fake-server.ts'
import { runInProcess } from './run-in-process.ts'

describe('caseward gate', () => {
  it('ends with the code of the tests when the server is hanging, and with 1 if there is none', async () => {
    const { url } = await startFakeServer((request) => request.resume())
    const env = {
      PATH: process.env['PATH'],
      SERVICE_URL: url,
      SERVICE_TOKEN: `cwc_${'0'.repeat(40)}`,
      SERVICE_RUN_ID: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
    }
    const cwd = await createTemporaryDirectory()
    const codes = [['--test-exit-code', '7'], ['--test-exit-code', '0'], []]
    const outputs = await Promise.all(
      codes.map((args) => runInProcess(['gate', '--retries', '0', ...args, '--wait', '0s'], { cwd, env })),
    )
    expect(outputs.map(({ exitCode }) => exitCode)).toEqual([7, 0, 1])
    for (const { stderr } of outputs) expect(stderr).toMatch(/not answered in time/)
    expect(outputs[1]?.stderr).toMatch(/^Caseward has not judged this build\. The exit code is that of the tests: 0\./)
  }, 60_000)
})
