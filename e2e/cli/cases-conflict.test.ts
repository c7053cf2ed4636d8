import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-conflict-'))
})
afterAll(() => rm(cwd, { recursive: true }))
beforeEach(async () => {
  project = await makeProject(server)
})

const getEnv = () => ({ SERVICE_URL: server.url, SERVICE_TOKEN: project.admin.token })
const importCsv = (input: string, ...args: string[]) =>
  runInProcess(['cases', 'import', '-', ...args], { cwd, env: getEnv(), input })
async function readTestCases(): Promise<TestCase[]> {
  const path = `/v1/projects/${project.id}/test-cases?fields=all&per_page=100`
  return (await server.request<{ data: TestCase[] }>('GET', path, { token: project.admin.token })).body.data
}
const readTitles = async () => (await readTestCases()).map(({ title }) => title)

const csv = 'id,title,automation_key,tags\nWEB-1,Pays by card,,fast\n,Pays by voucher,shop > voucher,\n,New,,\n'

describe('caseward cases import, of a file with test cases that exist', () => {
  beforeEach(async () => {
    await makeTestCase(server, project, { title: 'Pays', precondition: 'A basket', priority: 'high' })
    await makeTestCase(server, project, { title: 'Voucher', automation_key: 'shop.voucher' })
  })

  it.each([[[]], [['--on-conflict', 'fail']]])('stores nothing and lists them with the options %j', async (args) => {
    const { exitCode, stdout, stderr } = await importCsv(csv, ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr.split('\n').map((line) => line.trim())).toEqual([
      'error: Nothing was stored: 2 test cases of the file exist already.',
      ...(args.length === 0
        ? ['Use --on-conflict skip to keep them as they are, or --on-conflict update to change them.']
        : []),
      'line 2: WEB-1 exists already',
      'line 3: WEB-2 has the same automation key',
      '',
    ])
    expect(await readTitles()).toEqual(['Pays', 'Voucher'])
  })

  it('leaves them unchanged with --on-conflict skip', async () => {
    const { exitCode, stdout } = await importCsv(csv, '--on-conflict', 'skip')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Created 1 test case: WEB-3. Skipped 2 existing test cases.\n',
    })
    expect(await readTitles()).toEqual(['Pays', 'Voucher', 'New'])
  })

  it('updates the fields whose columns the file has with --on-conflict update', async () => {
    const { stdout } = await importCsv(csv, '--on-conflict', 'update', '--json')
    expect(JSON.parse(stdout)).toEqual({
      dry_run: false,
      created: 1,
      updated: 2,
      skipped: 0,
      folders_created: 0,
      blank_rows: 0,
      test_case_ids: ['WEB-3'],
      updated_test_case_ids: ['WEB-1', 'WEB-2'],
    })
    expect(await readTestCases()).toMatchObject([
      { title: 'Pays by card', precondition: 'A basket', priority: 'high', tags: ['fast'] },
      { title: 'Pays by voucher', automation_key: 'shop > voucher' },
      { title: 'New' },
    ])
  })

  it('moves them into the folder of the file, and counts in a dry run', async () => {
    const input = 'id,title,folder\nWEB-1,Pays,Shop/Card\n'
    const dryRun = await importCsv(input, '--on-conflict', 'update', '--dry-run')
    expect(dryRun.stdout).toBe('Would create 0 test cases and 2 folders. Would update 1 test case.\n')
    expect((await readTestCases())[0]?.folder_id).toBeNull()
    await importCsv(input, '--on-conflict', 'update')
    const { stdout } = await runInProcess(['cases', 'export'], { cwd, env: getEnv() })
    expect(stdout).toContain('WEB-1,Pays,Shop/Card,high,')
  })

  it('stores nothing when two lines update the same test case, or one takes the automation key of another', async () => {
    const input = 'id,title,automation_key\nWEB-1,a,\nWEB-1,b,shop voucher\n,New,\n'
    const { exitCode, stderr } = await importCsv(input, '--on-conflict', 'update')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(
        /contain.* errors:\n +line 3: line 2 updates WEB-1 as well\n +line 3: WEB-2 has the same automation key\n/,
      ),
    })
    expect(await readTitles()).toEqual(['Pays', 'Voucher'])
  })

  it.each([
    ['skip', 0, ['Pays', 'Voucher', 'New']],
    ['u', 0, ['Pays by card', 'Pays by voucher', 'New']],
    ['', 1, ['Pays', 'Voucher']],
  ])('asks at a terminal, and follows the answer %j', async (answer, exitCode, titles) => {
    await writeFile(join(cwd, 'cases.csv'), csv)
    const terminal = { cwd, env: getEnv(), isTerminal: true, input: `${answer}\n` }
    const result = await runInProcess(['cases', 'import', 'cases.csv'], terminal)
    expect(result).toMatchObject({ exitCode, stderr: expect.stringContaining('(skip, update, cancel)? [cancel]') })
    expect(await readTitles()).toEqual(titles)
  })
})

describe('caseward cases import, of a file with many errors', () => {
  const input = `title,priority\n${'a,urgent\n'.repeat(30)}`

  it('prints 20 errors and the number of the others', async () => {
    const { stderr } = await importCsv(input)
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(22)
    expect(lines.at(-1)).toBe('       and 10 more (use --errors-file <file> to write all of them to a file)')
  })

  it('writes all errors to the file of --errors-file, and prints all with --json', async () => {
    const { exitCode, stdout } = await importCsv(input, '--errors-file', 'errors.txt', '--json')
    expect(exitCode).toBe(1)
    const { error } = JSON.parse(stdout) as { error: { message: string } }
    expect(error.message.match(/unknown priority/g)).toHaveLength(30)
    const lines = (await readFile(join(cwd, 'errors.txt'), 'utf8')).trimEnd().split('\n')
    expect([lines.length, lines[29]]).toEqual([30, expect.stringMatching(/^line 31: unknown priority "urgent"/)])
  })

  it('empties the file of --errors-file when there are no errors', async () => {
    await importCsv(input, '--errors-file', 'errors.txt')
    await importCsv('title\nok\n', '--errors-file', 'errors.txt')
    expect(await readFile(join(cwd, 'errors.txt'), 'utf8')).toBe('')
  })
})
