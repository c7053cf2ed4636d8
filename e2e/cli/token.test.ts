import { beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let project: Awaited<ReturnType<typeof makeProject>>
let runId: string
beforeAll(async () => {
  project = await makeProject(server)
  await makeTestCases(server, project, 1)
  runId = (await makeRun(server, project)).id
})

const check = (token: string, ...args: string[]) =>
  runInProcess(['token', 'check', ...args], { cwd: '/', env: { SERVICE_URL: server.url, SERVICE_TOKEN: token } })

/** Reads what the checks could have changed. */
async function readState() {
  const { token } = project.admin
  const read = async (path: string) => (await server.request<{ data: unknown }>('GET', path, { token })).body.data
  return [await read(`/v1/projects/${project.id}/runs`), await read(`/v1/runs/${runId}`), await read('/v1/me')]
}

describe('caseward token check', () => {
  it('shows the project and the access of a CI token', async () => {
    const { exitCode, stdout } = await check(await makeCiToken(server, project), '--need', 'upload')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'CI token\nProjects: Web shop (WEB)\nWrite: yes\nUpload: yes\nExpires: unknown\n',
    })
  })

  it('shows the owner and the access of a personal token', async () => {
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
    ['a read-only CI token', () => makeCiToken(server, project, 'read'), ['--need', 'write'], /Write: no: This token /],
    ['a personal token', () => project.admin.token, ['--need', 'upload'], /Upload: no: uploads require a CI token/],
    [
      'a token of another project',
      makeTokenOfOtherProject,
      ['--project', 'WEB'],
      /No access to the project of --project \(WEB\)/,
    ],
    [
      'a run of another project',
      makeTokenOfOtherProject,
      ['--need', 'upload', '--run', () => runId],
      /Upload: no: .*\(404 not_found\)/,
    ],
    [
      'a user without projects',
      async () => (await makeUser(server, { access: 'read' })).token,
      ['--need', 'write'],
      /Projects: none\nWrite: no/,
    ],
  ] as const)('ends with exit code 1 when the access is not sufficient: %s', async (_, token, args, message) => {
    const given = args.map((arg) => (typeof arg === 'function' ? arg() : arg))
    expect(await check(await token(), ...given)).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(message) })
  })

  it('reports an invalid token with a hint', async () => {
    const { exitCode, stdout } = await check('cwc_wrong', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { message: expect.stringMatching(/Check that SERVICE_TOKEN/), code: expect.stringMatching(/^\w+$/) },
    })
  })

  it('changes neither runs nor the account', async () => {
    const before = await readState()
    for (const token of [project.admin.token, await makeCiToken(server, project)]) await check(token, '--run', runId)
    expect(await readState()).toEqual(before)
  })
})

async function makeTokenOfOtherProject() {
  return await makeCiToken(server, await makeProject(server, { prefix: 'APP' }))
}
