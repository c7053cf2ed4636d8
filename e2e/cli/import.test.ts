import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Import } from '@caseward/contract/import-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-import-'))
  project = await makeProject(server)
  await writeFile(join(cwd, 'cases.csv'), CSV)
  await writeFile(join(cwd, 'junit.xml'), '<testsuites><testsuite name="a"/></testsuites>')
  await writeFile(join(cwd, 'map.json'), '{ "priorities": [{ "from": "Showstopper", "to": "critical" }] }')
})
afterAll(() => rm(cwd, { recursive: true }))

const CSV = `Test ID;Module;Title;Steps;Expected Result;Priority
T1;Basket;Pays;Open;Shown;Showstopper
T2;Basket;Refuses;Pay;Refused;Low
`

const run = (...args: string[]) =>
  runInProcess(args, { cwd, env: { SERVICE_URL: server.url, SERVICE_TOKEN: project.admin.token } })
const countCasesOf = async (projectId: string) => {
  const { body } = await server.request<{ meta: { total: number } }>('GET', `/v1/projects/${projectId}/test-cases`, {
    token: project.admin.token,
  })
  return body.meta.total
}
const countCases = () => countCasesOf(project.id)

it('caseward import > shows the plan with --dry-run, and stores nothing without --yes', async () => {
  const planned = await run('import', 'cases.csv', '--dry-run')
  expect(planned).toMatchObject({ exitCode: 0, stderr: '' })
  expect(planned.stdout).toContain('Recognized: sheet, source “Sheet”, 2 steps.')
  expect(planned.stdout).toContain('  2 test cases: create')
  expect(planned.stdout).toContain('  priority “Showstopper” (1) → medium')
  expect(await run('import', 'cases.csv')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Nothing was imported. Look at the plan, and apply it with --yes.'),
  })
  expect(await countCases()).toBe(0)
})

it('caseward import > applies the plan with choices, counts again, and changes nothing the second time', async () => {
  const first = await run('import', 'cases.csv', '--map', 'map.json', '--source', 'Shop', '--yes')
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  expect(first.stdout).toContain('  2 test cases: created')
  expect(first.stdout).toContain('Counted afterwards: 2 of 2 test cases, 1 of 1 folder, 2 of 2 new steps.')
  const { body } = await server.request<{ data: { priority: string }[] }>(
    'GET',
    `/v1/projects/${project.id}/test-cases`,
    { token: project.admin.token },
  )
  expect(body.data.map(({ priority }) => priority)).toEqual(['critical', 'low'])
  const again = await run('--json', 'import', 'cases.csv', '--map', 'map.json', '--source', 'Shop', '--yes')
  const { state, planning } = JSON.parse(again.stdout) as Import
  expect(state).toBe('done')
  expect(planning?.actions).toContainEqual({ kind: 'case', action: 'unchanged', count: 2 })
  expect(await countCases()).toBe(2)
})

it('caseward import > fails with the reason for a file that is none to import', async () => {
  expect(await run('import', 'junit.xml', '--yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^error: This is a report of test results\. Upload it to a run/),
  })
  expect(await run('import', 'missing.csv', '--yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('missing.csv: file not found'),
  })
})

it('caseward export > writes a bundle that caseward import turns into an equal project, with a report', async () => {
  const exported = await run('export', '--project', project.id, '--output', 'shop.zip')
  expect(exported).toMatchObject({ exitCode: 0, stderr: '' })
  expect(exported.stdout).toMatch(/^Exported Web shop to shop\.zip \(\d+(?:\.\d)? KB\)\.\n$/)
  const copy = await makeProject(server, { token: project.admin.token, prefix: 'COPY' })
  const imported = await run('import', 'shop.zip', '--project', copy.id, '--yes', '--json')
  const document = JSON.parse(imported.stdout) as Import
  expect(document).toMatchObject({ state: 'done', format: 'caseward-bundle' })
  const reported = await run('import', 'report', document.id, '--project', copy.id, '--output', 'report.csv')
  expect(reported).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await readFile(join(cwd, 'report.csv'), 'utf8')).toContain(',create,COPY-1,')
  const decided = await run('import', 'conflicts', document.id, '--use', 'current', '--project', copy.id)
  expect(decided).toMatchObject({ exitCode: 0, stderr: '' })
  const csv = await run('export', '--project', copy.id, '--format', 'csv', '--include', 'cases')
  expect(csv.exitCode).toBe(0)
  expect(await readFile(join(cwd, 'COPY.csv'), 'utf8')).toContain('COPY-1,Pays,Basket,')
  expect(await run('export', '--project', copy.id, '--output', 'missing/shop.zip')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('missing/shop.zip was not written:'),
  })
})

it('caseward import undo and resume > take an import back, and go on with one that was interrupted', async () => {
  const shop = await makeProject(server, { token: project.admin.token })
  const importAll = await run('--json', 'import', 'cases.csv', '--project', shop.id, '--yes')
  const { id } = JSON.parse(importAll.stdout) as Import
  const count = () => countCasesOf(shop.id)
  expect(await count()).toBe(2)
  expect(await run('import', 'undo', id, '--project', shop.id)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Nothing was undone. Undo it with --yes.'),
  })
  const undone = await run('import', 'undo', id, '--project', shop.id, '--yes')
  expect(undone).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Undone: /) })
  expect(await count()).toBe(0)
  expect(await run('import', 'resume', id, '--project', shop.id)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('there is nothing to resume'),
  })
  // As a server leaves it that has stopped in the middle.
  const planned = await run('--json', 'import', 'cases.csv', '--project', shop.id, '--dry-run')
  const { id: next } = JSON.parse(planned.stdout) as Import
  await sql`update imports set state = 'cancelled', failed_state = 'applying' where id = ${next}`.execute(server.db)
  const resumed = await run('import', 'resume', next, '--project', shop.id)
  expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('2 of 2 test cases') })
  expect(await count()).toBe(2)
})
