import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-report-'))
})
afterAll(() => rm(cwd, { recursive: true }))
beforeEach(async () => {
  project = await makeProject(server)
})

const create = (...args: string[]) =>
  runInProcess(['cases', 'create-from-report', ...args], {
    cwd,
    env: { SERVICE_URL: server.url, SERVICE_TOKEN: project.admin.token },
  })
const write = (name: string, ...elements: string[]) =>
  writeFile(join(cwd, name), `<testsuites><testsuite>${elements.join('')}</testsuite></testsuites>`)
async function readTestCases(): Promise<TestCase[]> {
  const path = `/v1/projects/${project.id}/test-cases?fields=all&per_page=100`
  return (await server.request<{ data: TestCase[] }>('GET', path, { token: project.admin.token })).body.data
}

describe('caseward cases create-from-report', () => {
  it('creates test cases that a later upload of the same report matches', async () => {
    await write(
      'a.xml',
      '<testcase classname="shop.CartTest" name="adds up"/>',
      '<testcase classname="test/cart.spec.ts" file="test/cart.spec.ts" name="Cart > pays by card"/>',
      '<testcase classname="shop.MenuTest" name="adds up"/>',
    )
    const { exitCode, stdout } = await create('a.xml', '--folder', 'Automated')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Created 3 test cases and 5 folders: WEB-1 to WEB-3.\n',
    })
    expect(await readTestCases()).toMatchObject([
      { title: 'adds up', type: 'other', automation_keys: ['shop.CartTest > adds up'] },
      {
        title: 'pays by card',
        automation_keys: ['test/cart.spec.ts > Cart > pays by card'],
      },
      { title: 'adds up', automation_keys: ['shop.MenuTest > adds up'] },
    ])
    const run = await makeRun(server, project)
    const upload = await runInProcess(['upload', '--run', run.id, 'a.xml', '--json'], {
      cwd,
      env: { SERVICE_URL: server.url, SERVICE_TOKEN: await makeCiToken(server, project) },
    })
    expect(JSON.parse(upload.stdout)).toMatchObject({ tests: { total: 3, matched: 3 } })
  })

  it('skips tests that name a test case or match one, and creates nothing the second time', async () => {
    await makeTestCase(server, project, { title: 'Pays', automation_key: 'shop > pays' })
    await write(
      'b.xml',
      '<testcase classname="shop" name="pays"/>',
      '<testcase classname="shop" name="WEB-7 refunds"/>',
      '<testcase classname="shop" name="ships"/>',
    )
    expect((await create('b.xml')).stdout).toBe(
      'Created 1 test case and 1 folder: WEB-2. Skipped 2 existing test cases.\n',
    )
    const second = JSON.parse((await create('b.xml', '--json')).stdout) as object
    expect(second).toMatchObject({ created: 0, skipped: 3, folders_created: 0 })
  })

  it('creates more than 100 test cases, and one for a test in two browsers', async () => {
    const cases = Array.from({ length: 120 }, (_, index) => `<testcase classname="Many" name="test ${index}"/>`)
    const browsers = ['chromium', 'firefox'].map(
      (browser) => `<testsuite name="a.spec.ts" hostname="${browser}">${cases.join('')}</testsuite>`,
    )
    await writeFile(join(cwd, 'c.xml'), `<testsuites>${browsers.join('')}</testsuites>`)
    expect((await create('c.xml', '--dry-run')).stdout).toBe('Would create 120 test cases and 1 folder.\n')
    expect(await readTestCases()).toEqual([])
    expect((await create('c.xml')).stdout).toBe('Created 120 test cases and 1 folder: WEB-1 to WEB-120.\n')
  })

  it('skips other XML in a directory', async () => {
    await mkdir(join(cwd, 'mixed'))
    await write('mixed/a.xml', '<testcase classname="shop" name="pays"/>')
    await writeFile(join(cwd, 'mixed/coverage.xml'), '<coverage/>')
    const { exitCode, stderr } = await create('mixed', '--dry-run')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Skipped mixed/coverage.xml: no JUnit XML.\n' })
  })

  it('creates nothing when a file is broken or missing', async () => {
    await write('good.xml', '<testcase name="ok"/>')
    await writeFile(join(cwd, 'broken.xml'), '<testsuite><testcase name="x">')
    const { exitCode, stdout, stderr } = await create('good.xml', 'broken.xml', 'gone.xml')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(
      /Nothing was created: 2 files cannot be read\.\n +gone\.xml: file not found.*\n +broken\.xml: /,
    )
    expect(await readTestCases()).toEqual([])
  })
})
