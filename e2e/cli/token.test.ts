import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runInProcess } from '../../packages/cli/src/run-in-process.test.helper.ts'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

let server: TestServer
let project: Awaited<ReturnType<typeof makeProject>>
let runId: string
beforeAll(async () => {
  server = await startTestServer()
  project = await makeProject(server)
  await makeTestCases(server, project, 1)
  runId = (await makeRun(server, project)).id
})
afterAll(() => server.close())

const check = (token: string, ...args: string[]) =>
  runInProcess(['token', 'check', ...args], { cwd: '/', env: { SERVICE_URL: server.url, SERVICE_TOKEN: token } })

async function counts() {
  const { token } = project.admin
  const ask = async (path: string) => (await server.request<{ data: unknown }>('GET', path, { token })).body.data
  return [await ask(`/v1/projects/${project.id}/runs`), await ask(`/v1/runs/${runId}`), await ask('/v1/me')]
}

describe('caseward token check', () => {
  it('says of a CI token what it reaches and may do', async () => {
    const { exitCode, stdout } = await check(await makeCiToken(server, project), '--need', 'upload')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'A CI token.\nProjects: Web shop (WEB)\nWrite: yes\nUpload: yes\nExpires: the server does not say\n',
    })
  })

  it('says of a personal token whose it is', async () => {
    const { email, token } = await makeMember(server, project.id, 'viewer')
    const { exitCode, stdout } = await check(token, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'personal',
      user: { email },
      projects: [{ prefix: 'WEB' }],
      write: false,
      upload: false,
      expires_at: null,
      expiry_known: true,
      sufficient: true,
    })
  })

  it.each([
    [
      'a CI token that only reads',
      () => makeCiToken(server, project, 'read'),
      ['--need', 'write'],
      /Write: no: This token only reads/,
    ],
    ['a personal token', () => project.admin.token, ['--need', 'upload'], /Upload: no: uploads need a CI token/],
    ["another project's token", other, ['--project', 'WEB'], /It does not reach the project of --project \(WEB\)/],
    ['a run of another project', other, ['--need', 'upload', '--run', () => runId], /Upload: no: .*\(404 not_found\)/],
    [
      'a user without projects',
      async () => (await makeUser(server, { access: 'read' })).token,
      ['--need', 'write'],
      /Projects: none\nWrite: no/,
    ],
  ] as const)('ends with 1 when it does not suffice: %s', async (_, token, args, message) => {
    const given = args.map((arg) => (typeof arg === 'function' ? arg() : arg))
    expect(await check(await token(), ...given)).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(message) })
  })

  it('says that a token is wrong', async () => {
    const { exitCode, stdout } = await check('cwc_wrong', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { message: expect.stringMatching(/Check SERVICE_TOKEN/), code: expect.stringMatching(/^\w+$/) },
    })
  })

  it('changes nothing', async () => {
    const before = await counts()
    for (const token of [project.admin.token, await makeCiToken(server, project)]) await check(token, '--run', runId)
    expect(await counts()).toEqual(before)
  })
})

async function other() {
  return await makeCiToken(server, await makeProject(server, { prefix: 'APP' }))
}
