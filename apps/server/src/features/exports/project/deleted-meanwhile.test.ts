import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, countLosses, planFile } from '@caseward/test-support/import-scenario'
import { fetchExport, readBundleRecords } from '@caseward/test-support/project-export'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { packBundle } from './pack-bundle.test.helper.ts'

const server = useSharedServer()

describe('the import of a bundle', () => {
  it('counts links of tests and results of test cases that are deleted between the plan and its end', async () => {
    const project = await makeProject(server)
    const test = (key: string, cases: string[]) => ({
      kind: 'test',
      key,
      name: `Test ${key}`,
      cases: cases.map((id) => ({ case: id, source: 'id' })),
    })
    const bundle = await packBundle([
      { kind: 'case', key: 'A-1', title: 'Pays' },
      { kind: 'case', key: 'A-2', title: 'Refunds' },
      { kind: 'run', key: 'r', name: 'Run', created_at: '2026-01-01' },
      { kind: 'result', key: 'x', run: 'r', case: 'A-1', status: 'passed', at: '2026-01-02' },
      { kind: 'result', key: 'y', run: 'r', case: 'A-2', status: 'passed', at: '2026-01-02', case_version: 1 },
      test('both', ['A-1', 'A-2']),
      test('other', ['A-2']),
      test('lost', ['A-2', 'NONE-1']),
    ])
    const cases = [{ kind: 'case', key: 'A-1', title: 'Pays' }]
    await actOnImport(server, project, await planFile(server, project, await packBundle(cases), 'shop.zip'), 'apply')
    const plan = await planFile(server, project, bundle, 'shop.zip')
    expect(countLosses(plan)).toEqual({ test_without_case: 1 })
    const path = `/v1/projects/${project.id}/test-cases/WEB-1`
    expect((await server.request('DELETE', path, { token: project.admin.token })).status).toBe(200)
    const done = await actOnImport(server, project, plan, 'apply')
    expect(done).toMatchObject({ state: 'differs', proof: { differences: ['1 of 2 test cases are in the project.'] } })
    expect(countLosses(done)).toEqual({ test_without_case: 2, result_without_case: 1 })
    const stored = await readBundleRecords(await fetchExport(server, project))
    const links = stored.filter(({ kind }) => kind === 'test').map(({ name, cases: linked }) => [name, linked])
    const linked = [{ case: 'WEB-2', source: 'id' }]
    expect(Object.fromEntries(links)).toEqual({ 'Test both': linked, 'Test other': linked, 'Test lost': linked })
  })
})
