import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import {
  actOnImport,
  countLosses,
  createImport,
  planFile,
  summarizePlan,
  waitForImport,
} from '@caseward/test-support/import-scenario'
import { type ExportedRecord, fetchExport, readBundleRecords, withoutIds } from '@caseward/test-support/project-export'
import { makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const readExport = async (project: MadeProject) => await readBundleRecords(await fetchExport(server, project))

/** Without what an import itself adds, and the ids of shared steps in the keys of their versions. */
function normalize(records: readonly ExportedRecord[], kinds: readonly string[], { admin }: MadeProject) {
  return withoutIds(records, new Set([admin.id]))
    .filter(({ kind }) => kinds.includes(kind))
    .map((record) => ({ ...record, sources: null, key: record.key.replace(/^[-0-9a-f]{36}/, 'id') }))
}

const makeCopy = async ({ admin }: MadeProject): Promise<MadeProject> => ({
  ...(await makeProject(server, { token: admin.token })),
  admin,
})

describe('a bundle that is imported into an empty project', () => {
  it('gives equal shared steps with their versions and uses, which changes nothing again and can be undone', async () => {
    const { project, make, create, edit, send, patch } = await makeSharedStepScenario(server)
    const login = await make('Sign in', 'User', 'Password')
    const logout = await make('Sign out', 'Leave')
    await create({
      title: 'Pays',
      steps: [
        { shared_step_id: login.id },
        { shared_step_id: login.id },
        { action: 'Pay', expected: 'Paid' },
        { shared_step_id: logout.id },
      ],
    })
    await create({ title: 'Stays', steps: [{ shared_step_id: login.id, version: 1 }, { action: 'Look' }] })
    await create({ title: 'Plain', steps: [{ action: 'User' }, { action: 'Password' }] })
    await edit(login.id, { title: 'Sign in here', steps: [{ action: 'Name' }], apply_to: 'all' })
    const kinds = ['shared_steps', 'shared_step_version', 'case']
    const bundle = await fetchExport(server, project)
    const before = await readBundleRecords(bundle)
    expect(before.find(({ title }) => title === 'Stays')).toMatchObject({
      steps: [{ title: 'Sign in', version: 1, follows: false, steps: [{}, {}] }, { action: 'Look' }],
    })

    const copy = await makeCopy(project)
    const plan = await planFile(server, copy, bundle, 'shop.zip')
    expect(summarizePlan(plan)).toEqual(
      expect.arrayContaining(['case create 3', 'shared_steps create 2', 'shared_step_version create 1']),
    )
    expect(countLosses(plan)).not.toHaveProperty('shared_step_inlined')
    const done = await actOnImport(server, copy, plan, 'apply')
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true, shared_steps: { read: 2, stored: 2 } } })
    const after = await readExport(copy)
    expect(normalize(after, kinds, project)).toEqual(normalize(before, kinds, project))

    const again = await actOnImport(server, copy, await planFile(server, copy, bundle, 'shop.zip'), 'apply')
    expect(summarizePlan(again)).toEqual(
      expect.arrayContaining(['case unchanged 3', 'shared_steps unchanged 2', 'shared_step_version unchanged 1']),
    )
    expect(again.proof?.is_equal).toBe(true)
    expect(normalize(await readExport(copy), kinds, project)).toEqual(normalize(after, kinds, project))

    // Uses are known: a change here reaches the test cases that follow.
    const shared = after.find(({ title }) => title === 'Sign in here')?.key ?? ''
    const path = `/v1/projects/${copy.id}/shared-steps/${shared}`
    const body = { steps: [{ action: 'Name and more' }], apply_to: 'all' }
    const changed = await server.request('PATCH', path, { token: project.admin.token, body })
    expect(changed).toMatchObject({ status: 200, body: { data: { use_count: 2, version: 3 } } })

    // A changed test case of the source keeps its shared steps as far as they are equal here.
    await patch('WEB-2', { steps: [{ shared_step_id: login.id, version: 1 }, { action: 'Look twice' }] })
    const later = await planFile(server, copy, await fetchExport(server, project), 'shop.zip')
    expect(summarizePlan(later)).toEqual(expect.arrayContaining(['case update 1']))
    await actOnImport(server, copy, later, 'apply')
    expect((await readExport(copy)).find(({ title }) => title === 'Stays')).toMatchObject({
      steps: [{ shared, version: 1, follows: false }, { action: 'Look twice' }],
    })

    // A project that has another one of the title keeps both.
    const other = await makeCopy(project)
    await server.request('POST', `/v1/projects/${other.id}/shared-steps`, {
      token: project.admin.token,
      body: { title: 'SIGN OUT', steps: [{ action: 'Other' }] },
    })
    const second = await actOnImport(server, other, await planFile(server, other, bundle, 'shop.zip'), 'apply')
    expect(countLosses(second)).toMatchObject({ shared_step_renamed: 1 })
    const titles = async () =>
      (await readExport(other)).filter(({ kind }) => kind === 'shared_steps').map(({ title }) => String(title))
    expect((await titles()).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['SIGN OUT', 'Sign in here', 'Sign out (2)'])
    await actOnImport(server, other, second, 'undo')
    expect(await titles()).toEqual(['SIGN OUT'])
    await expectCorrectCounters(server, other.id)

    // In the project itself, what was deleted stays deleted.
    await send('DELETE', `/shared-steps/${logout.id}?detach=true`)
    const own = await planFile(server, project, bundle, 'shop.zip')
    expect(summarizePlan(own)).toEqual(
      expect.arrayContaining([
        'shared_steps deleted_here 1',
        'shared_steps unchanged 1',
        'shared_step_version unchanged 1',
      ]),
    )
  })

  it('gives equal configurations, those of runs and results of each, which changes nothing again and can be undone', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const made = await makeConfigurations(server, project, {
      system: ['windows', 'mac'],
      browser: ['firefox', 'chrome'],
    })
    const idOf = (key: string) => made.find((item) => item.key === key)?.id ?? ''
    const send = async (method: string, path: string, body?: object) => {
      const response = await server.request<{ data: { id: string } }>(method, path, { token, ...(body && { body }) })
      if (response.status >= 300)
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
      return response.body?.data
    }
    await makeTestCases(server, project, 2)
    const run = await makeRun(server, project, {
      configurations: { groups: { browser: ['chrome', 'firefox'], system: ['mac'] } },
    })
    const path = `/v1/runs/${run.id}`
    const set = async (id: string, place: number, body: object) =>
      await send('PUT', `${path}/results/${id}/combinations/${place}`, body)
    await set('WEB-1', 1, { status: 'failed', note: 'Red', elapsed: 3 })
    await set('WEB-1', 1, { status: 'passed' })
    await set('WEB-1', 2, { status: 'blocked', note: 'No server' })
    await set('WEB-2', 2, { status: 'passed', elapsed: 5 })
    await send('PATCH', `${path}/configurations`, { add: { list: [{ values: { system: 'windows' } }] } })
    await send('PATCH', `${path}/configurations`, { remove: [1] })
    // Runs have copies: one of a configuration that is gone, and of one that has another name by now.
    await send('DELETE', `/v1/projects/${project.id}/configurations/${idOf('windows')}`)
    await send('PATCH', `/v1/projects/${project.id}/configurations/${idOf('mac')}`, { name: 'macOS' })
    await send('PATCH', `/v1/projects/${project.id}/configurations/${idOf('firefox')}`, { retired: true })
    const bundle = await fetchExport(server, project)
    const before = await readBundleRecords(bundle)
    const kinds = ['configuration', 'run', 'result']
    const known = (records: readonly ExportedRecord[]) =>
      (JSON.parse(JSON.stringify(records)) as ExportedRecord[]).map((record) => ({
        ...record,
        ...('case_version' in record ? { case_version: null } : {}),
        ...(record.kind === 'run'
          ? { metadata: null, configurations: (record['configurations'] as RunConfiguration[]).map(withoutGone) }
          : {}),
      }))
    type RunConfiguration = { values: { id: string; key: string }[] }
    const withoutGone = ({ values, ...rest }: RunConfiguration) => ({
      ...rest,
      values: values.map(({ id, ...value }) => ({ ...value, id: value.key === 'windows' ? 'gone' : id })),
    })
    const compare = (records: readonly ExportedRecord[]) => known(normalize(records, kinds, project))
    expect(before.find(({ kind }) => kind === 'run')).toMatchObject({ last_configuration_place: 3 })

    const copy = await makeCopy(project)
    const plan = await planFile(server, copy, bundle, 'shop.zip')
    expect(plan.planning?.needs_settings).toBe(true)
    expect(summarizePlan(plan)).toEqual(expect.arrayContaining(['configuration create 3', 'run create 1']))
    const done = await actOnImport(server, copy, plan, 'apply')
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true, configurations: { read: 3, stored: 3 } } })
    await expectCorrectCounters(server, copy.id)
    const after = await readExport(copy)
    expect(compare(after)).toEqual(compare(before))
    expect(after.filter(({ kind, status }) => kind === 'result' && status === 'blocked')).toMatchObject([
      {},
      {
        combinations: [
          { place: 2, status: 'blocked', note: 'No server' },
          { place: 3, status: 'not_tested' },
        ],
      },
    ])

    const again = await actOnImport(server, copy, await planFile(server, copy, bundle, 'shop.zip'), 'apply')
    expect(summarizePlan(again)).toEqual(expect.arrayContaining(['configuration unchanged 3', 'run unchanged 1']))
    expect(again.proof?.is_equal).toBe(true)
    expect(compare(await readExport(copy))).toEqual(compare(after))

    await actOnImport(server, copy, done, 'undo')
    expect((await readExport(copy)).filter(({ kind }) => kinds.includes(kind))).toEqual([])
    await expectCorrectCounters(server, copy.id)

    // What was tested there meanwhile is newer, also of single configurations.
    await actOnImport(server, copy, await planFile(server, copy, bundle, 'shop.zip'), 'apply')
    await set('WEB-1', 3, { status: 'failed', note: 'New there' })
    const later = await planFile(server, copy, await fetchExport(server, project), 'shop.zip')
    await actOnImport(server, copy, later, 'apply')
    await expectCorrectCounters(server, copy.id)
    expect(
      (await readExport(copy)).filter(({ kind, status }) => kind === 'result' && status === 'failed'),
    ).toMatchObject([
      {},
      { case: 'WEB-3', combinations: [{ place: 2 }, { place: 3, status: 'failed', note: 'New there' }] },
    ])

    // A user who may not change settings gets the runs with their copies.
    const second = await makeProject(server)
    const member = await makeMember(server, second.id, 'member')
    const planned = await createImport(server, second, { content: bundle, name: 'shop.zip', token: member.token })
    const seen = await waitForImport(server, second, planned.id)
    expect(countLosses(seen)).toMatchObject({ 'not_imported:configuration': 3 })
    expect(seen.planning?.needs_settings).toBe(false)
  })
})
