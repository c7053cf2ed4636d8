import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Run } from '@caseward/contract/run-schemas'
import { makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createFixtureProject } from '../reporters/fresh-project.ts'
import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-init-server-'))
  await writeFile(join(cwd, 'package.json'), '{"devDependencies": {"vitest": "4"}}')
  project = await makeProject(server, { name: 'Web shop' })
  token = await makeCiToken(server, project, 'write', { grants: ['cases:create'] })
})
afterEach(() => rm(cwd, { recursive: true }))

const init = (...args: string[]) => runInProcess(['init', ...args], { cwd })

describe('caseward init with a server and a token', () => {
  it('checks them, and shows the id of the project for CI', async () => {
    const { exitCode, stdout, stderr } = await init('--yes', '--url', server.url, '--token', token)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Connected to the project “Web shop”.\n' })
    expect(stdout).toContain(`SERVICE_PROJECT_ID=${project.id}\n`)
    expect(stdout).not.toContain(token)
  })

  it.each([
    ['an invalid token', () => 'cwc_wrong', /\(401 /],
    ['a personal token', () => project.admin.token, /This is a personal token, but reporters require a CI token/],
  ])('ends with exit code 1 and writes nothing with %s', async (_, getToken, message) => {
    const { exitCode, stderr } = await init('--yes', '--url', server.url, '--token', getToken())
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(message) })
    await expect(readFile(join(cwd, 'vitest.config.mjs'))).rejects.toThrow('ENOENT')
  })

  it('asks again at a terminal after a wrong answer', async () => {
    const answers = ['http://127.0.0.1:1', 'cwc_x', server.url, token, '', '', '', 'no']
    const input = answers.map((answer) => `${answer}\n`).join('')
    const { exitCode, stderr } = await runInProcess(['init'], { cwd, isTerminal: true, input })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/is unreachable[^]*Connected to/),
    })
    expect(stderr.match(/Address of your Caseward server\?/g)).toHaveLength(2)
    expect(stderr).toMatch(/Install the reporter and run the suite once\? \[yes\] $/)
  })

  it('does not run the suite before the reporter is in the configuration', async () => {
    await writeFile(join(cwd, 'vitest.config.js'), 'export default {}\n')
    const { exitCode, stderr } = await init('--yes', '--run', '--url', server.url, '--token', token)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('The suite was not run: add the lines above first'),
    })
  })
})

describe('caseward init --run', () => {
  it('runs the suite once, and ends with the address of its run', async () => {
    const fresh = await createFixtureProject('vitest-4', 'installed', ['@caseward/vitest'])
    await makeTestCases(server, project, 2)
    await writeFile(join(fresh.folder, 'new.test.js'), "import { test } from 'vitest'\ntest('ships', () => {})\n")
    try {
      const args = ['init', '--yes', '--create-cases', '--run', '--url', server.url, '--token', token]
      const env = { PATH: `${process.env['PATH']}`, HOME: `${process.env['HOME']}`, NO_COLOR: '1' }
      const { exitCode, stdout, stderr } = await runInProcess(args, { cwd: fresh.folder, env })
      const runs = await server.request<{ data: Run[] }>('GET', `/v1/projects/${project.id}/runs`, { token })
      const [run] = runs.body.data
      expect(exitCode).toBe(0)
      expect(stderr).toMatch(/\$ npx vitest run\n[^]*1 failed \| 2 passed/)
      expect(stdout.endsWith(`\n${server.url}/runs/${run?.id}\n`)).toBe(true)
      expect(run).toMatchObject({
        name: expect.stringMatching(/^First run, /),
        stats: { passed: 2, failed: 1 },
        test_stats: { total: 3, unmatched: 0 },
      })
      expect(stdout).toContain('\nThe first run contains 3 test cases, 2 passed, 1 failed.\n')
      expect(await readFile(join(fresh.folder, 'vitest.config.mjs'), 'utf8')).toContain('createCases: true')
    } finally {
      await fresh.remove()
    }
  })
})
