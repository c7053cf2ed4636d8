import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()

const fixtures = new URL('../../packages/junit/test/fixtures/', import.meta.url)

/** Uploads a report as a pipeline does, and checks the run for failures. */
async function uploadAndCheck(file: string) {
  const cwd = await mkdtemp(join(tmpdir(), 'caseward-failures-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(join(cwd, 'report.xml'), await readFile(new URL(file, fixtures)))
  const project = await makeProject(server)
  await makeTestCases(server, project, 1)
  const env = {
    SERVICE_URL: server.url,
    SERVICE_TOKEN: await makeCiToken(server, project),
    SERVICE_RUN_ID: (await makeRun(server, project)).id,
  }
  const upload = await runInProcess(['upload', 'report.xml'], { cwd, env })
  const check = await runInProcess(['run', 'show', '--fail-on', 'failed'], { cwd, env })
  return { upload, check }
}

describe('caseward upload and caseward run show --fail-on failed', () => {
  it.each([
    'playwright-two-projects.xml',
    'node-test-same-titles.xml',
    'saucelabs-two-browsers.xml',
    'phpunit-two-suites.xml',
  ])('fail the pipeline when a test failed in one of two suites: %s', async (file) => {
    const { upload, check } = await uploadAndCheck(file)
    expect(upload).toMatchObject({ exitCode: 0, stdout: 'report.xml: 1 stored (1 failed)\n' })
    expect(check).toMatchObject({ exitCode: 2, stderr: 'Check failed: 1 failed.\n' })
  })

  it('do not fail the pipeline when a retry in the same suite passed', async () => {
    const { upload, check } = await uploadAndCheck('gradle-retry.xml')
    expect(upload).toMatchObject({
      exitCode: 0,
      stdout: 'report.xml: 1 stored (1 passed)\n1 test: 1 matched, 1 flaky.\n',
    })
    expect(check).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
