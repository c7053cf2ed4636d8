import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeEvaluationScenario, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startFakeForge } from './fake-forges.ts'
import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
const PR = { branch: 'feature/cart', base_branch: 'main', pull_request: '17' }

let scenario: Awaited<ReturnType<typeof makeEvaluationScenario>>
let cwd: string
beforeAll(async () => {
  scenario = await makeEvaluationScenario(server)
  cwd = await mkdtemp(join(tmpdir(), 'caseward-comment-'))
  await scenario.build({ green: 'passed' })
})
afterAll(() => rm(cwd, { recursive: true }))

const gate = (runId: string, env: Record<string, string>, args: readonly string[] = ['--comment']) =>
  runInProcess(['gate', '--retries', '0', '--run', runId, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], SERVICE_URL: server.url, SERVICE_TOKEN: scenario.ci, ...env },
  })
const build = async (outcomes: Outcomes, suite?: string) =>
  (
    await scenario.build(outcomes, {
      metadata: { ...PR, ...(suite === undefined ? {} : { suite }) },
      isOpen: true,
      upload: { job: 'unit', instance: '1' },
    })
  ).id
const marker = (suite = '') => `<!-- caseward:${scenario.project.id}:${suite} -->`

describe.each(['github', 'gitlab'] as const)('caseward gate --comment on %s', (kind) => {
  it('writes one comment for a pull request and suite, and keeps it up to date', async () => {
    const { comments, add, tokens, env } = await startFakeForge(kind)
    add('Looks good to me', 'ada')
    // A user who quotes the marker does not own the comment.
    add(`${marker()}\nAll is green`, 'eve')
    const green = await build({ green: 'passed' })
    expect(await gate(green, env)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(comments).toHaveLength(2)

    expect((await gate(await build({ green: 'failed' }), env)).exitCode).toBe(2)
    expect(comments).toHaveLength(3)
    expect(comments[2]?.body).toMatch(new RegExp(`^${marker()}\n### ✗ 1 failure blocks this build\n`))
    expect((await gate(green, env)).exitCode).toBe(0)
    expect(comments.map(({ body }) => body.split('\n')[1])).toEqual([
      undefined,
      'All is green',
      '### ✓ The test passed',
    ])
    expect((await gate(await build({ green: 'failed' }, 'night -->'), env)).exitCode).toBe(2)
    expect(comments).toHaveLength(4)
    expect(comments[3]?.body.split('\n')[0]).toBe(marker('night%20%2D%2D%3E'))
    expect([...tokens]).toEqual([kind === 'github' ? 'Bearer secret-of-the-job' : 'secret-of-the-job'])
  })

  it('leaves one comment of ten jobs at once, also beside 1,000 others', async () => {
    const { comments, add, env } = await startFakeForge(kind)
    for (let index = 0; index < 250; index += 1) add(`comment ${index}`, 'ada')
    const broken = await build({ green: 'failed' })
    const codes = await Promise.all(Array.from({ length: 10 }, async () => (await gate(broken, env)).exitCode))
    expect(new Set(codes)).toEqual(new Set([2]))
    expect(comments.filter(({ body }) => body.startsWith(marker()))).toHaveLength(1)
    expect(comments).toHaveLength(251)
  })

  it.each([
    ['GET', 403],
    ['POST', 403],
    ['POST', 404],
    ['POST', 500],
  ])('says in the summary that %s was answered with %i, with the same exit code', async (method, status) => {
    const { comments, env } = await startFakeForge(kind, [{ method, status }])
    const broken = await build({ green: 'failed' })
    const summary = `${kind}-${method}-${status}.md`
    const { exitCode, stderr } = await gate(broken, env, ['--comment', '--summary-file', summary])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(new RegExp(`^The comment could not be written: ${method} .* was answered with ${status}\\.`))
    expect(stderr).not.toContain('secret')
    expect(await readFile(join(cwd, summary), 'utf8')).toMatch(/\n- The comment could not be written: /)
    expect(comments).toEqual([])
  })
})

describe('caseward gate --comment', () => {
  it('has at most 60,000 bytes, and shows what tests are called as it is', async () => {
    const { comments, env } = await startFakeForge('github')
    const hostile = [
      '@all',
      '</details>',
      '![x](http://a)',
      '| a | b',
      '`code`',
      '<!-- caseward -->',
      '日本'.repeat(90),
    ]
    const outcomes = Object.fromEntries(
      Array.from({ length: 700 }, (_, index) => [`${hostile[index % hostile.length]} ${index}`, 'failed' as const]),
    )
    expect((await gate(await build(outcomes), env)).exitCode).toBe(2)
    const [comment] = comments
    expect(Buffer.byteLength(comment?.body ?? '')).toBeLessThanOrEqual(60_100)
    expect(comment?.body).toContain('… and 680 more')
    expect(comment?.body.split('\n').slice(1).join('\n')).not.toMatch(/@all|<\/details>(?!\n)|!\[|<!--|`/)
  })

  it.each([
    [{}, /comments are for GitHub Actions and GitLab CI/],
    [{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1', GITHUB_REF: 'refs/heads/main' }, /of no pull request/],
    [{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1', GITHUB_REF: 'refs/pull/17/merge' }, /GITHUB_TOKEN is not set/],
    [{ GITLAB_CI: 'true', CI_PIPELINE_ID: '1', CI_MERGE_REQUEST_IID: '17' }, /GITLAB_TOKEN is not set/],
    [
      {
        GITLAB_CI: 'true',
        CI_PIPELINE_ID: '1',
        CI_MERGE_REQUEST_IID: '17',
        GITLAB_TOKEN: 'x',
        CI_API_V4_URL: 'http://127.0.0.1:9',
        CI_PROJECT_ID: '1',
      },
      /could not be written: GET \/user: /,
    ],
  ])('says why there is no comment in the environment %j', async (env, message) => {
    const { exitCode, stderr } = await gate(await build({ green: 'passed' }), env)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(message) })
  })

  it('is of the whole run', async () => {
    expect(await gate('x', {}, ['--comment', '--scope', 'job'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/--comment needs --scope run/),
    })
  })

  it('annotates what blocks in GitHub Actions, where the file is known', async () => {
    const { id } = await scenario.makeRunByKey('annotated', { metadata: PR })
    await server.request('POST', '/v1/results', {
      token: scenario.ci,
      body: {
        run_id: id,
        tests: [
          {
            suite: 'cart',
            name: 'pays::warning::\n%0A, twice',
            file: 'src/cart, old.test.ts',
            attempts: [{ status: 'failed', message: 'expected 200\n::stop-commands::x' }],
          },
          { suite: 'cart', name: 'without a file', attempts: [{ status: 'failed' }] },
        ],
      },
    })
    const { stdout, exitCode } = await gate(id, { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1' }, [])
    expect(exitCode).toBe(2)
    const commands = stdout.split('\n').filter((line) => line.startsWith('::'))
    expect(commands).toEqual([
      '::error file=src/cart%2C old.test.ts,title=cart › pays%3A%3Awarning%3A%3A %250A%2C twice::expected 200',
    ])
    expect((await gate(id, {}, [])).stdout).not.toContain('::error')
  })
})
