import { makeMilestone, makeRun } from '@caseward/test-support/factories'
import { describe, expect, it } from 'vitest'

import { useRunScenario } from './run-scenario.ts'

const { caseward, createRun, readRun, scenario, server } = useRunScenario()

describe('caseward run create', () => {
  it('prints only the id to standard output, and the name and address to standard error', async () => {
    const { exitCode, stdout, stderr } = await caseward(['run', 'create', '--name', 'Nightly'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
    expect(stderr).toBe(`Created run “Nightly” with 3 test cases: ${server.url}/runs/${stdout}`)
  })

  it('uses the only project of the token, and names the run after the time', async () => {
    expect(await createRun([])).toMatchObject({ name: expect.stringMatching(/^Run of \d{4}-.* UTC$/), run_key: null })
  })

  it('sets every field of a run', async () => {
    const milestone = await makeMilestone(server, scenario.project)
    const args = [
      '--name',
      'R',
      '--milestone',
      milestone.id,
      '--key',
      'k1',
      '--expected-shards',
      '3',
      '--cases',
      'WEB-1,WEB-2',
    ]
    const run = await createRun([
      ...args,
      '--metadata',
      'branch=main',
      '--metadata',
      'commit=8a0=6ed',
      '--project',
      'WEB',
    ])
    expect(run).toMatchObject({
      name: 'R',
      milestone_id: milestone.id,
      run_key: 'k1',
      expected_shards: 3,
      result_count: 2,
      metadata: { branch: 'main', commit: '8a0=6ed' },
    })
  })

  it('finds folders by path, including subfolders', async () => {
    expect(await createRun(['--folders', 'Shop'])).toMatchObject({ result_count: 2 })
    expect(await createRun(['--folders', String.raw`Shop/In\/Out`])).toMatchObject({ result_count: 1 })
  })

  it('stores the name, branch, commit, base and suite of the CI build', async () => {
    const build = { CI_PIPELINE_ID: '1', CI_PIPELINE_IID: '7', CI_COMMIT_REF_NAME: 'fix', CI_COMMIT_SHA: 'abc' }
    const env = { ...build, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', SERVICE_TARGET: '2.4.0' }
    const run = await createRun(['--suite', 'nightly'], env)
    expect(run).toMatchObject({ name: 'GitLab 7 (fix)' })
    expect(run.metadata).toEqual({
      branch: 'fix',
      commit: 'abc',
      base_branch: 'main',
      suite: 'nightly',
      target: '2.4.0',
    })
  })

  it('returns the existing run of a run key', async () => {
    const run = await createRun(['--key', 'twice'])
    const { stdout, stderr } = await caseward(['run', 'create', '--key', 'twice', '--json'])
    expect(JSON.parse(stdout)).toEqual({ run, created: false, url: `${server.url}/runs/${run.id}` })
    expect(stderr).toBe('')
  })

  it('creates the run of the CI build, which show and complete find, when the project is set', async () => {
    const env = { SERVICE_PROJECT_ID: scenario.project.id, GITHUB_RUN_ID: '4711', GITHUB_RUN_NUMBER: '7' }
    const { id } = await createRun(['--name', 'Release'], env)
    expect((await createRun([], env)).id).toBe(id)
    const output = await caseward(['run', 'show', '--json'], env)
    expect(JSON.parse(output.stdout)).toMatchObject({ run: { id, name: 'Release', status: 'in_progress' } })
    expect(await caseward(['run', 'complete'], env)).toMatchObject({ exitCode: 0 })
    expect(await readRun(id)).toMatchObject({ status: 'completed' })
    expect((await createRun(['--key', 'another run'], env)).id).not.toBe(id)
  })

  it.each([
    [['--cases', 'WEB-1', '--folders', 'Shop'], /Use either --cases or --folders, not both/],
    [['--folders', 'Gone'], /The project has no folder “Gone”/],
    [['--cases', 'WEB-99'], /error: WEB-99 is /],
    [['--metadata', 'branch'], /It must look like branch=main/],
    [['--suite', 'x'.repeat(101)], /It must have at most 100 characters/],
    [
      ['--project', 'APP'],
      /The token has access to no project with the prefix APP\. Set --project .*\n.*WEB {2}Web shop/,
    ],
  ])('rejects %j with a reason, and creates no run', async (args, message) => {
    expect(await caseward(['run', 'create', ...args])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })
})

describe('caseward run complete', () => {
  it('completes a run, and has no effect the second time', async () => {
    const { id } = await makeRun(server, scenario.project)
    // The earlier name of the command still works.
    for (const name of ['complete', 'close']) {
      const { exitCode, stdout } = await caseward(['run', name, id])
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^Completed run “Nightly”/),
      })
    }
    expect(await readRun(id)).toMatchObject({ status: 'completed' })
  })

  it('finds the run by SERVICE_RUN_ID or by the run key', async () => {
    const { id } = await makeRun(server, scenario.project)
    expect(await caseward(['run', 'complete'], { SERVICE_RUN_ID: id })).toMatchObject({ exitCode: 0 })
    const keyed = await createRun(['--key', 'to close'])
    const env = { SERVICE_PROJECT_ID: scenario.project.id, SERVICE_RUN_KEY: 'to close' }
    expect(await caseward(['run', 'complete'], env)).toMatchObject({ exitCode: 0 })
    expect([(await readRun(id)).status, (await readRun(keyed.id)).status]).toEqual(['completed', 'completed'])
  })

  it('reports an unknown id or key with what to check', async () => {
    const { exitCode, stderr } = await caseward(['run', 'complete', 'nightly'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Check that the id \(nightly\)/),
    })
    const env = { SERVICE_PROJECT_ID: scenario.project.id, SERVICE_RUN_KEY: 'unknown' }
    expect((await caseward(['run', 'complete'], env)).stderr).toMatch(/The project has no run with the key “unknown”/)
  })
})
