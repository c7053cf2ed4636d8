import type { Run } from '@caseward/contract/run-schemas'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { addMissingMetadata, readBuildData } from './read-build-data.ts'

const server = useSharedServer()

describe('readBuildData', () => {
  it('ignores values of the wrong form', () => {
    const metadata = {
      repository: 'r'.repeat(256),
      branch: '  ',
      commit: 'HEAD',
      head_commit: 'abc',
      base_branch: 'b'.repeat(255),
      base_commit: 'ABCDEF0',
      pull_request: '12a',
      target: ' 2.4.1 ',
      suite: 's'.repeat(101),
    }
    expect(readBuildData(metadata)).toEqual({
      repository: null,
      branch: null,
      commit_sha: null,
      head_commit: null,
      base_branch: 'b'.repeat(255),
      base_commit: 'abcdef0',
      pull_request: null,
      default_branch: null,
      target: '2.4.1',
      series: '',
    })
  })

  it('reads the base branch and the pull request of a merge queue from its branch', () => {
    expect(readBuildData({ branch: 'gh-readonly-queue/release/2/pr-17-0a1b2c3' })).toMatchObject({
      base_branch: 'release/2',
      pull_request: '17',
    })
    expect(readBuildData({ branch: 'trunk-merge/pr-18/0a1b' })).toMatchObject({ pull_request: '18' })
  })

  it('adds what metadata lacks, up to 50 entries, and changes nothing else', () => {
    const full = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`key ${index}`, 'x']))
    expect(addMissingMetadata({ branch: 'a' }, { branch: 'b' })).toBeNull()
    expect(Object.keys(addMissingMetadata(full, { 'key 1': 'y', a: '1', b: '2' }) ?? {})).toEqual([
      ...Object.keys(full),
      'a',
    ])
  })
})

describe('POST /v1/projects/:project_id/runs with a run_key', () => {
  it('adds build data that the run lacks, and remembers the default branch', async () => {
    const { makeRunByKey, project, token } = await makeTestsScenario(server)
    const first = await makeRunByKey('ci 1', { metadata: { branch: 'feature/x', commit: 'bad' } })
    const again = await makeRunByKey('ci 1', {
      metadata: { branch: 'other', commit: 'abcdef0', default_branch: 'trunk', suite: 'unit', tool: 'x' },
    })
    expect(again).toMatchObject({
      id: first.id,
      metadata: { branch: 'feature/x', commit: 'bad', default_branch: 'trunk', suite: 'unit', tool: 'x' },
    })
    const { rows } = await sql`
      select branch, commit_sha, default_branch, series from runs where id = ${first.id}`.execute(server.db)
    expect(rows).toEqual([{ branch: 'feature/x', commit_sha: null, default_branch: 'trunk', series: 'unit' }])
    const path = `/v1/projects/${project.id}/insight-settings`
    expect((await server.request('GET', path, { token })).body).toEqual({
      data: {
        default_branch: null,
        effective_default_branch: 'trunk',
        auto_quarantine: { enabled: false, owner_id: null },
        issue_template: null,
      },
    })
    const { body } = await server.request<{ data: Run }>('PATCH', `/v1/runs/${first.id}`, {
      token,
      body: { metadata: { commit: 'fedcba9', target: '2.0' } },
    })
    expect(body.data.metadata).toEqual({ commit: 'fedcba9', target: '2.0' })
    const changed = await sql`select branch, commit_sha, target from runs where id = ${first.id}`.execute(server.db)
    expect(changed.rows).toEqual([{ branch: null, commit_sha: 'fedcba9', target: '2.0' }])
  })
})

describe('a command from before build data', () => {
  it('stores and evaluates what it sends, as a run without a suite', async () => {
    const { project, ci, patch, getRun, evaluate, listRunTests, getVerdicts } = await makeEvaluationScenario(server)
    // What `caseward upload` and reporters of c0dd9c08 send in GitHub Actions, which was the last commit before build data.
    const report = async (build: number, xml: string) => {
      const metadata = {
        branch: 'main',
        commit: `${build}`.repeat(40),
        ci_url: `https://github.com/acme/shop/actions/runs/${build}`,
      }
      const name = `GitHub Actions ${build} (main)`
      const { body } = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, {
        token: ci,
        body: { name, run_key: `GitHub Actions acme/shop ${build}`, metadata, job: 'CI unit' },
      })
      const source = new URLSearchParams({
        run_id: body.data.id,
        job: 'CI unit',
        instance: 'GitHub Actions 2 1a2b3c4d-5e6f',
        build_attempt: '1',
        label: 'linux x64, Node 20',
        report: 'results/r.xml',
      })
      const headers = { 'content-type': 'application/xml' }
      const { status } = await server.request('POST', `/v1/results?${source.toString()}`, {
        token: ci,
        body: xml,
        headers,
      })
      expect(status).toBe(200)
      return body.data.id
    }
    const suite = (failure: string) =>
      `<testsuite name="cart"><testcase name="adds"/><testcase name="removes">${failure}</testcase></testsuite>`
    const first = await report(1, suite(''))
    expect((await evaluate(first)).counts).toMatchObject({ new: 0 })
    await patch(first, { status: 'completed' })
    const run = await report(2, suite('<failure message="the cart is empty"/>'))
    expect(await evaluate(run)).toMatchObject({ base: { run_id: first }, blocking_count: 1, tests: { executed: 2 } })
    expect(await getVerdicts(run)).toEqual({ removes: 'new!' })
    expect((await listRunTests('', run)).meta.total).toBe(2)
    expect((await getRun(run)).metadata).not.toHaveProperty('suite')
    const { rows } = await sql`
      select series, branch from runs where project_id = ${project.id} and commit_sha is not null`.execute(server.db)
    expect(rows).toEqual([
      { series: '', branch: 'main' },
      { series: '', branch: 'main' },
    ])
  })

  it('stores what a reporter sends into a run that was created without any build data', async () => {
    const { run, uploadTests, evaluate, getVerdicts } = await makeEvaluationScenario(server)
    const tests = [{ suite: 'cart', name: 'adds', attempts: [{ status: 'failed', message: 'the cart is empty' }] }]
    expect((await uploadTests(tests)).status).toBe(200)
    expect(await evaluate(run.id)).toMatchObject({ base: null, counts: { new: 1 } })
    expect(await getVerdicts(run.id)).toEqual({ adds: 'new!' })
  })
})

describe('GET /v1/projects/:project_id/insight-settings', () => {
  it('says whether a test was attempted again or a commit was run twice in the last 30 days', async () => {
    const { project, token, build, evaluate } = await makeEvaluationScenario(server)
    const path = `/v1/projects/${project.id}/insight-settings?fields=repetitions`
    const read = async () => (await server.request('GET', path, { token })).body
    const evaluated = async (...args: Parameters<typeof build>) => evaluate((await build(...args)).id)
    await evaluated({ fails: 'failed' }, { metadata: { branch: 'main', commit: '1111111' } })
    await evaluated({ fails: ['failed', 'passed'] }, { daysAgo: 31 })
    await evaluated({ fails: 'failed' }, { metadata: { branch: 'main', commit: '1111111', suite: 'nightly' } })
    expect(await read()).toMatchObject({ data: { has_repetitions: false, effective_default_branch: 'main' } })
    await evaluated({ fails: ['failed', 'failed'] })
    expect(await read()).toMatchObject({ data: { has_repetitions: true } })
    await sql`update test_outcomes set attempt_count = 1 where project_id = ${project.id}`.execute(server.db)
    expect(await read()).toMatchObject({ data: { has_repetitions: false } })
    await build({ passes: 'passed' }, { metadata: { branch: 'main', commit: '1111111' } })
    expect(await read()).toMatchObject({ data: { has_repetitions: true } })
  })
})

describe('PATCH /v1/projects/:project_id/insight-settings', () => {
  it('refuses an owner who is no member, and automatic quarantine without an owner, naming the field', async () => {
    const { project, token } = await makeTestsScenario(server)
    const path = `/v1/projects/${project.id}/insight-settings`
    const refuse = async (autoQuarantine: object) =>
      (await server.expectProblem(400, 'PATCH', path, { token, body: { auto_quarantine: autoQuarantine } })).errors
    expect(await refuse({ enabled: true })).toMatchObject([{ path: '/auto_quarantine/owner_id' }])
    expect(await refuse({ owner_id: 'nobody' })).toMatchObject([{ path: '/auto_quarantine/owner_id' }])
    const body = { auto_quarantine: { enabled: true, owner_id: project.admin.id }, default_branch: 'develop' }
    expect((await server.request('PATCH', path, { token, body })).body).toMatchObject({ data: body })
    const audit = await server.request<{ data: { action: string; detail: object }[] }>(
      'GET',
      `/v1/projects/${project.id}/audit-log?action=project.update`,
      { token },
    )
    expect(audit.body.data[0]?.detail).toMatchObject({ default_branch: { from: null, to: 'develop' } })
  })

  it('stores a template of the address that creates an issue, and refuses what a browser must not open', async () => {
    const { project, token } = await makeTestsScenario(server)
    const path = `/v1/projects/${project.id}/insight-settings`
    const refuse = async (issue_template: string) =>
      (await server.expectProblem(400, 'PATCH', path, { token, body: { issue_template } })).errors
    for (const [template, message] of [
      ['javascript:alert({title})', /begins with http/],
      ['https:tracker.test/{title}', /begins with http/],
      ['https://tracker.test/new', /must contain \{title\}/],
      ['https://tracker.test/new?a={title}&b={color}', /must not contain \{color\}/],
      ['https://{title}.tracker.test/', /behind the host/],
      ['https://tracker.test:{title}/', /begins with http/],
      ['https://ada:secret@tracker.test/{title}', /user name or password/],
      ['https://tracker.test/ {title}', /begins with http/],
    ] as const)
      expect(await refuse(template)).toMatchObject([
        { path: '/issue_template', message: expect.stringMatching(message) },
      ])
    const issue_template = 'https://tracker.test/new?title={title}&body={body}&labels={labels}&link={url}'
    expect((await server.request('PATCH', path, { token, body: { issue_template } })).body).toMatchObject({
      data: { issue_template, default_branch: null },
    })
    const { body } = await server.request('PATCH', path, { token, body: { issue_template: null } })
    expect(body).toMatchObject({ data: { issue_template: null } })
    const audit = await server.request<{ data: { detail: object }[] }>(
      'GET',
      `/v1/projects/${project.id}/audit-log?action=project.update`,
      { token },
    )
    expect(audit.body.data.map(({ detail }) => detail)).toEqual([
      { issue_template: { from: issue_template, to: null } },
      { issue_template: { from: null, to: issue_template } },
    ])
  })
})
