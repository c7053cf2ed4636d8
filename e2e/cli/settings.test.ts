import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startFakeServer } from './fake-server.ts'
import { runInProcess } from './run-in-process.ts'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-settings-'))
  await writeFile(join(cwd, 'a.xml'), '<testsuites/>')
})
afterAll(() => rm(cwd, { recursive: true }))

const caseward = (args: readonly string[], env = {}) => runInProcess(args, { cwd, env })
const getSettings = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run-1' })

describe('settings of the command line', () => {
  it(
    'that are missing are listed together, each with its purpose',
    { tags: ['spec:service/a-token-and-a-run-id-come-from-service_token'] },
    async () => {
      const { exitCode, stdout, stderr } = await caseward(['upload', 'a.xml'], { SERVICE_TOKEN: '' })
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toMatch(/SERVICE_URL is not set\. Set it to the address of your Caseward server/)
      expect(stderr).toMatch(/SERVICE_TOKEN is set but empty .* fork/)
      expect(stderr).toMatch(/SERVICE_RUN_ID is not set\..*--run <id>/)
    },
  )

  it('that Azure Pipelines has not replaced are treated as missing', async () => {
    const env = { ...getSettings('http://127.0.0.1:9'), SERVICE_TOKEN: '$(SERVICE_TOKEN)' }
    const { exitCode, stderr } = await caseward(['upload', 'a.xml'], env)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/SERVICE_TOKEN is set but not replaced by the CI system .* fork/),
    })
  })

  it('that are missing are listed together as JSON with --json', async () => {
    const { exitCode, stdout } = await caseward(['run', 'show', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { message: expect.stringMatching(/SERVICE_URL.*SERVICE_TOKEN.*SERVICE_RUN_ID/), code: 'settings' },
    })
  })

  it('are taken from the options before the environment', async () => {
    const requests: { url: string | undefined; token: string | undefined; agent: string | undefined }[] = []
    const { url } = await startFakeServer((request, response) => {
      const { authorization: token, 'user-agent': agent } = request.headers
      requests.push({ url: request.url, token, agent })
      request.resume()
      response.writeHead(401).end()
    })
    await writeFile(join(cwd, 'token'), 'cwc_other\n')
    await caseward(
      ['upload', 'a.xml', '--run', 'run-2', '--url', `${url}/v1/`, '--token-file', 'token'],
      getSettings('http://127.0.0.1:9'),
    )
    expect(requests).toEqual([
      {
        url: expect.stringMatching(/^\/v1\/results\?run_id=run-2&/),
        token: 'Bearer cwc_other',
        agent: expect.stringMatching(/^caseward-cli\/\d/),
      },
    ])
  })

  it.each([
    ['URL', 'caseward.example.com', 'cwc_t', /"caseward\.example\.com".* Check SERVICE_URL/],
    ['token', 'https://caseward.example.com', 'cwc t', /token.* Check SERVICE_URL and SERVICE_TOKEN/],
  ])('with an invalid %s are rejected before anything is sent', async (_, url, token, message) => {
    const { exitCode, stderr } = await caseward(['upload', 'a.xml'], { ...getSettings(url), SERVICE_TOKEN: token })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(message) })
    expect(stderr).not.toContain('cwc t')
  })

  it('with a missing token file are rejected with the name of the file', async () => {
    const args = ['upload', 'a.xml', '--token-file', 'gone']
    const { exitCode, stderr } = await caseward(args, getSettings('http://h'))
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/The token file gone cannot/) })
  })
})
