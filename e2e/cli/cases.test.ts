import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Folder } from '@caseward/contract/folders'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { makeCiToken, makeFolder, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

import { makeHostileCases } from './hostile-cases.ts'
import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-cases-'))
})
afterAll(() => rm(cwd, { recursive: true }))
beforeEach(async () => {
  project = await makeProject(server)
})

const cases = (
  args: readonly string[],
  { token = project.admin.token, input = '' }: { token?: string; input?: string } = {},
) => runInProcess(['cases', ...args], { cwd, env: { SERVICE_URL: server.url, SERVICE_TOKEN: token }, input })

async function read<T>(path: string): Promise<T> {
  return (
    await server.request<{ data: T }>('GET', `/v1/projects/${project.id}/${path}`, { token: project.admin.token })
  ).body.data
}
const readTestCases = () => read<TestCase[]>('test-cases?fields=all&per_page=100')
const withoutIds = (csv: string) => csv.replaceAll(/^WEB-\d+/gm, '')

describe('caseward cases export', () => {
  it('writes the same file again, except for ids, after an import into an empty project', async () => {
    await makeHostileCases(server, project)
    const first = await cases(['export'])
    expect(first).toMatchObject({ exitCode: 0, stderr: 'Exported 3 test cases.\n' })
    const before = await readTestCases()
    project = await makeProject(server)
    expect(await cases(['import', '-'], { input: first.stdout })).toEqual({
      exitCode: 0,
      stdout: 'Created 3 test cases and 2 folders: WEB-1 to WEB-3.\n',
      stderr: '',
    })
    const second = await cases(['export'])
    expect(second.stdout).toBe(first.stdout)
    const content = ({
      title,
      steps,
      precondition,
      expected_result,
      tags,
      automation_key,
      priority,
      type,
    }: TestCase) => ({
      title,
      steps,
      precondition,
      expected_result,
      tags,
      automation_key,
      priority,
      type,
    })
    expect((await readTestCases()).map(content)).toEqual(before.map(content))
  })

  it('writes custom fields by their names and labels, which an import reads again by name or key; an unknown option is an error of its line', async () => {
    const send = async (path: string, body: object) => {
      const { status } = await server.request('POST', `/v1/projects/${project.id}/${path}`, {
        token: project.admin.token,
        body,
      })
      expect(status).toBe(201)
    }
    const makeFields = async () => {
      const options = [
        { key: 'blocker', label: 'Stops; everything' },
        { key: 'minor', label: 'Minor' },
      ]
      await send('fields', { key: 'severity', name: 'Severity', type: 'select', options, default: 'minor' })
      await send('fields', { key: 'browsers', name: 'Browsers', type: 'multi_select', options })
      await send('fields', { key: 'risk', name: 'Risk', type: 'number' })
    }
    await makeFields()
    const values = { severity: 'blocker', browsers: ['blocker', 'minor'], risk: 7.5 }
    await send('test-cases', { title: 'Pays', fields: values })
    await send('test-cases', { title: 'Returns', fields: { severity: null } })
    const { stdout } = await cases(['export'])
    const lines = stdout.split('\n').map((line) => line.trimEnd())
    expect(lines[0]).toMatch(/,automation_key,Severity,Browsers,Risk$/)
    expect(lines[1]).toMatch(/,"Stops; everything","blocker; Minor",7\.5$/)

    project = await makeProject(server)
    await makeFields()
    const input = stdout.replace(',Risk', ',risk')
    expect(await cases(['import', '-'], { input })).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await readTestCases()).map(({ fields }) => fields)).toEqual([values, undefined])
    const update = 'id,title,Severity\nWEB-1,Pays,Minr\n'
    expect(await cases(['import', '-', '--on-conflict', 'update'], { input: update })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('line 2: the field Severity has no option "Minr"; the nearest is "Minor"'),
    })
    const fixed = await cases(['import', '-', '--on-conflict', 'update'], { input: update.replace('Minr', 'minor') })
    expect(fixed).toMatchObject({ exitCode: 0 })
    expect((await readTestCases())[0]?.fields).toEqual({ ...values, severity: 'minor' })
  })

  it('writes owners by address and estimates, which an import reads again', async () => {
    const owner = await makeMember(server, project.id, 'member')
    const former = await makeMember(server, project.id, 'member')
    const { id } = await makeTestCase(server, project, { title: 'Pays', owner_id: owner.id, estimate: 5400 })
    await makeTestCase(server, project, { title: 'Returns', owner_id: former.id })
    await server.request('DELETE', `/v1/projects/${project.id}/members/${former.id}`, { token: project.admin.token })
    const { stdout } = await cases(['export'])
    const [header = '', first = '', second = ''] = stdout.split('\n').map((line) => line.trimEnd())
    expect(header).toMatch(/,automation_key,owner,estimate$/)
    expect(first.endsWith(`,${owner.email},1h 30m`)).toBe(true)
    expect(second).toMatch(/,Person \d+,$/)

    const file = `id,title,owner,estimate\n${id},Pays,${project.admin.id},2 min\n,New,nobody@example.test,5\n`
    expect(await cases(['import', '-', '--on-conflict', 'update'], { input: file })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the estimate cannot be read: write it like 90s, 15m or 1h 30m'),
    })
    const unknown = file.replace(',5\n', ',5m\n')
    const refused = await cases(['import', '-', '--on-conflict', 'update'], { input: unknown })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain(
      'line 3: the owner "nobody@example.test" is not the email address or name of an admin or member of the project',
    )
    const good = `id,title,owner,estimate\n${id},Pays,,2 min\n,New,${owner.email.toUpperCase()},5m\n`
    expect(await cases(['import', '-', '--on-conflict', 'update'], { input: good })).toMatchObject({ exitCode: 0 })
    expect(await readTestCases()).toMatchObject([
      { title: 'Pays', owner_id: null, estimate: 120 },
      { title: 'Returns', owner_id: former.id },
      { title: 'New', owner_id: owner.id, estimate: 300 },
    ])

    const ci = await cases(['export'], { token: await makeCiToken(server, project) })
    expect(ci.stderr).toContain('Owners are written as user ids: a CI token cannot read the members of a project.')
    expect(ci.stdout).toContain(`,${owner.id},5m`)
  })

  it('writes no cell that a spreadsheet would run as a formula', async () => {
    await makeHostileCases(server, project)
    const { stdout } = await cases(['export'])
    for (const cell of [`,"'=HYPERLINK(`, `,"'-\n`, `,"'+shop.pay`]) expect(stdout).toContain(cell)
  })

  it('reads 100 test cases per request and keeps their order', async () => {
    const strict = await startTestServer({ rateLimitOther: 5 })
    try {
      const busy = await makeProject(strict)
      const ids = await makeTestCases(strict, busy, 250)
      const token = await makeCiToken(strict, busy)
      // Its project, its folders and three pages: there is no request left for a single case.
      const env = { SERVICE_URL: strict.url, SERVICE_TOKEN: token }
      const { stdout } = await runInProcess(['cases', 'export', '--json', '--retries', '0'], { cwd, env })
      expect(JSON.parse(stdout)).toMatchObject({ exported: 250, test_cases: ids.map((id) => ({ id })) })
    } finally {
      await strict.close()
    }
  })

  it('writes a file with a byte order mark, which the import accepts', async () => {
    await makeTestCase(server, project, { title: 'Ü' })
    const { stdout } = await cases(['export', '--output', 'out.csv', '--bom', '--json'])
    expect(JSON.parse(stdout)).toEqual({ exported: 1, output: 'out.csv' })
    expect(await readFile(join(cwd, 'out.csv'), 'utf8')).toMatch(
      /^\uFEFFid,title,folder,.*\nWEB-1,Ü,,medium,functional,/,
    )
    expect(await cases(['import', 'out.csv', '--on-conflict', 'skip'])).toEqual({
      exitCode: 0,
      stdout: 'Created 0 test cases. Skipped 1 existing test case.\n',
      stderr: '',
    })
  })

  it('accepts a read-only CI token', async () => {
    await makeTestCase(server, project, { title: 'Pays' })
    const { stdout } = await cases(['export'], { token: await makeCiToken(server, project, 'read') })
    expect(withoutIds(stdout).split('\n')[1]).toBe(',Pays,,medium,functional,,,,,')
  })
})

describe('caseward cases import', () => {
  it('creates each missing folder once, and uses existing folders', async () => {
    await makeFolder(server, project, { name: 'Shop' })
    const input = 'title,folder\na,Shop/Pay\nb,Shop/Pay/Card\nc,shop\nd,Shop\n'
    const { stdout } = await cases(['import', '-', '--json'], { input })
    expect(JSON.parse(stdout)).toEqual({
      dry_run: false,
      created: 4,
      updated: 0,
      skipped: 0,
      blank_rows: 0,
      folders_created: 3,
      test_case_ids: ['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4'],
      updated_test_case_ids: [],
    })
    const folders = await read<Folder[]>('folders')
    expect(folders.map(({ name }) => name).toSorted()).toEqual(['Card', 'Pay', 'Shop', 'shop'])
  })

  it.each([
    ['at the end', 'title,priority,tags\r\na,high,x\r\nb,low,\r\n,,\r\n,,\r\n', 2],
    ['before the headings and between rows', ';;\ntitle;priority;tags\na;high;x\n ; ; \nb;low;\n', 2],
    ['in a file with empty columns', 'title,priority,,\na,high,,\n,,,\nb,low,,\n', 1],
  ])('ignores empty rows %s, and says how many there are', async (_, input, count) => {
    const { exitCode, stdout } = await cases(['import', '-', '--dry-run'], { input })
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `Would create 2 test cases. Ignored ${count} empty row${count === 1 ? '' : 's'}.\n`,
    })
  })

  it('reads the quotes, dashes and euro signs of Windows-1252 with --encoding, and asks for it otherwise', async () => {
    // “5 € – Größe”
    await writeFile(join(cwd, 'western.csv'), Buffer.from('title\n\x935 \x80 \x96 Größe\x94\n', 'latin1'))
    const refused = await cases(['import', 'western.csv'])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('--encoding windows-1252')
    expect((await cases(['import', 'western.csv', '--encoding', 'windows-1252'])).exitCode).toBe(0)
    expect((await readTestCases()).map(({ title }) => title)).toEqual(['“5 € – Größe”'])
  })

  it('lists every line with an error, and creates nothing', async () => {
    const input = `title,priority,steps,automation_key,folder\nok,,,k,New\n,high,,,\n"two\nlines",urgent,do it,k,\n`
    const { exitCode, stdout, stderr } = await cases(['import', '-'], { input })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr.split('\n').map((line) => line.trim())).toEqual([
      'error: Nothing was stored. The file contains errors:',
      'line 3: the title is empty',
      expect.stringMatching(/^line 4: unknown priority "urgent"; the values are /),
      expect.stringMatching(/^line 4: line 1 of the steps must start with/),
      '',
    ])
    expect([await readTestCases(), await read('folders')]).toEqual([[], []])
  })

  it('lists duplicate and existing automation keys before it creates anything', async () => {
    await makeTestCase(server, project, { automation_key: 'taken' })
    const input = 'title,automation_key\na,free\nb,taken\nc,free\n'
    const { stderr } = await cases(['import', '-'], { input })
    expect(stderr).toMatch(/line 4: line 2 has the same automation key/)
    const other = await cases(['import', '-'], { input: 'title,automation_key\na,free\nb,taken\n' })
    expect(other.stderr).toMatch(/line 3: WEB-1 has the same automation key/)
    expect(await readTestCases()).toHaveLength(1)
  })

  it('creates nothing in a dry run, and counts what it would create', async () => {
    const input = 'title,folder\na,X/Y\nb,X\n'
    const { exitCode, stdout } = await cases(['import', '-', '--dry-run'], { input })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Would create 2 test cases and 2 folders.\n' })
    expect([await readTestCases(), await read('folders')]).toEqual([[], []])
  })

  it('creates more than 100 test cases and more than 1 MB, in the order of the file', async () => {
    const long = 'x'.repeat(60_000)
    const lines = Array.from({ length: 120 }, (_, index) => `Case ${index},${index < 40 ? long : ''}`)
    const { stdout } = await cases(['import', '-'], { input: `title,precondition\n${lines.join('\n')}\n` })
    expect(stdout).toBe('Created 120 test cases: WEB-1 to WEB-120.\n')
    expect((await readTestCases()).map(({ title }) => title)).toEqual(
      Array.from({ length: 100 }, (_, index) => `Case ${index}`),
    )
  })

  it.each([
    ['is not UTF-8', Buffer.from('title\né\n', 'latin1'), /latin\.csv: the file is not UTF-8: save it as “CSV UTF-8”/],
    ['is not CSV', Buffer.from('title\n"é\n'), /line 2: the quote that opens here is never closed/],
  ])('rejects a file that %s', async (_, bytes, message) => {
    await writeFile(join(cwd, 'latin.csv'), bytes)
    expect(await cases(['import', 'latin.csv'])).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(message) })
  })

  it('rejects a CI token and asks for a personal token', async () => {
    const token = await makeCiToken(server, project)
    const { exitCode, stderr } = await cases(['import', '-'], { input: 'title\na\n', token })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/\(403 personal_token_required\)\n.*Use a personal token \(cwp_…\)/),
    })
  })

  it('warns about unknown columns', async () => {
    const { stderr } = await cases(['import', '-'], { input: 'title,reviewer\na,Ann\n' })
    expect(stderr).toBe('Ignored unknown columns: reviewer.\n')
  })
})
