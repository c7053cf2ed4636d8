import { makeFolder, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { callAsAdmin, makeFullProject } from '@caseward/test-support/full-project'
import { actOnImport, listImportRecords, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
import {
  type ExportedRecord,
  fetchExport,
  readBundleRecords,
  unzip,
  withoutIds,
} from '@caseward/test-support/project-export'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const ownKinds = (records: readonly ExportedRecord[]) =>
  records.filter(({ kind }) => ['field', 'folder', 'case', 'case_version'].includes(kind))

/** Without what an import itself adds: where the objects came from. */
const withoutOrigin = (records: readonly ExportedRecord[]) =>
  records.map((record) => ({
    ...record,
    ...('sources' in record
      ? { sources: (record['sources'] as { system: string }[]).filter(({ system }) => system !== 'caseward') }
      : {}),
  }))

async function importInto(project: MadeProject, content: Uint8Array | string, name: string) {
  const planned = await planFile(server, project, content, name)
  expect(planned).toMatchObject({ state: 'planned', error: null })
  return await actOnImport(server, project, planned, 'apply')
}

describe('GET /v1/projects/:project_id/export', () => {
  let project: MadeProject
  beforeAll(async () => {
    project = await makeFullProject(server)
  })

  it('returns a bundle that gives an equal project when it is imported into an empty one', async () => {
    const bundle = await fetchExport(server, project)
    const copy = await makeProject(server, { token: project.admin.token })
    const target = { ...copy, admin: project.admin }
    const done = await importInto(target, bundle, 'shop.caseward.zip')
    expect(done).toMatchObject({ state: 'done', system: 'caseward', format: 'caseward-bundle', source: 'Web shop' })
    expect(summarizePlan(done)).toEqual(
      expect.arrayContaining(['case create 5', 'folder create 3', 'field create 10', 'case_version create 3']),
    )
    const users = new Set([project.admin.id])
    const [before, after] = [
      await readBundleRecords(bundle),
      await readBundleRecords(await fetchExport(server, target)),
    ]
    const normalize = (records: readonly ExportedRecord[]) => ownKinds(withoutOrigin(withoutIds(records, users)))
    expect(normalize(after)).toEqual(normalize(before))
    expect(normalize(before)).toHaveLength(21)
    expect(before.find(({ key }) => key === 'WEB-2')).toMatchObject({ aliases: [{ key: 'C17' }], estimate: 3661 })

    const again = await planFile(server, target, bundle, 'shop.caseward.zip')
    expect(summarizePlan(again)).toEqual(
      expect.arrayContaining(['case unchanged 5', 'folder unchanged 3', 'field unchanged 10']),
    )
    const own = await planFile(server, project, bundle, 'shop.caseward.zip')
    expect(summarizePlan(own)).toEqual(expect.arrayContaining(['case unchanged 5', 'folder unchanged 3']))
    expect(before.find(({ key }) => key === 'WEB-6')).toMatchObject({ merged_into: 'WEB-2' })
  })

  it('returns CSV whose import changes exactly what was edited in it', async () => {
    const csv = (await fetchExport(server, project, '?format=csv')).toString()
    expect(csv).toContain(`\r\nWEB-2,'=Pays  “by card”,Shop > a\\/b/Cards,`)
    const same = await planFile(server, project, csv, 'cases.csv')
    expect(summarizePlan(same)).toEqual(['case unchanged 5', 'folder unchanged 2'])
    const edited = csv.replace('Second', 'Second (edited)').replace('Prose', 'Prose (too)')
    const done = await importInto(project, edited, 'cases.csv')
    expect(summarizePlan(done)).toEqual(['case unchanged 3', 'case update 2', 'folder unchanged 2'])
    const changed = await listImportRecords(server, project, done.id, '&action=update')
    expect(changed.map(({ target, changed: names }) => [target, names])).toEqual([
      ['WEB-3', ['title']],
      ['WEB-4', ['title']],
    ])
    const steps = (await fetchExport(server, project, '?format=csv&rows=steps&archived=false')).toString()
    expect(summarizePlan(await planFile(server, project, steps, 'steps.csv'))).toEqual([
      'case unchanged 3',
      'folder unchanged 2',
    ])
  })

  it('returns TestRail’s CSV, of which an import makes equal test cases', async () => {
    const source = await makeProject(server)
    const parent = await makeFolder(server, source, { name: 'Shop' })
    const folder = await makeFolder(server, source, { name: 'Cards', parent_id: parent.id })
    await makeTestCase(server, source, {
      title: 'Pays, “quoted”',
      folder_id: folder.id,
      priority: 'high',
      type: 'smoke',
      estimate: 5400,
      tags: ['fast', 'paid'],
      precondition: 'Signed in\n\n- as **Ada**',
      steps: [
        { position: 1, action: 'Open\n\n1. the basket\n2. the cart', expected: '' },
        { position: 2, action: 'Pay', expected: '1. Paid\n2. Mailed' },
      ],
      expected_result: 'Thanks',
    })
    await makeTestCase(server, source, { title: 'Without anything', type: 'end_to_end' })
    const csv = (await fetchExport(server, source, '?format=testrail-csv')).toString()
    expect(csv.split('\r\n')[0]).toContain(
      '"Section Hierarchy","Steps","Steps","Steps (Expected Result)","Steps (Step)"',
    )
    const target = await makeProject(server)
    const done = await importInto(target, csv, 'testrail.csv')
    expect(done).toMatchObject({ format: 'testrail-csv', state: 'done', planning: { losses: [] } })
    const read = async (made: MadeProject) =>
      withoutIds(await readBundleRecords(await fetchExport(server, made)), new Set())
        .filter(({ kind }) => kind === 'case')
        .map(
          ({ title, folder: path, priority, type, estimate, tags, precondition, steps, expected_result: result }) => ({
            title,
            path,
            priority,
            type,
            estimate,
            tags,
            precondition,
            steps,
            result,
          }),
        )
    const sort = (cases: Awaited<ReturnType<typeof read>>) =>
      cases.toSorted((a, b) => (String(a.title) < String(b.title) ? -1 : 1))
    expect(sort(await read(target))).toEqual(sort(await read(source)))
  })

  it('has runs, results with earlier ones, files and other records', async () => {
    const made = await makeProject(server)
    const login = await makeSharedStep(server, made, {
      title: 'Sign in',
      steps: [{ action: 'User' }, { action: 'Password' }],
    })
    await callAsAdmin(server, made, 'POST', '/test-cases', {
      title: 'Uses',
      steps: [{ action: 'Open' }, { shared_step_id: login.id }, { action: 'Leave' }],
    })
    const run = await makeRun(server, made, { name: 'Nightly' })
    const { token } = made.admin
    const path = `/v1/runs/${run.id}/results/WEB-1`
    await server.request('PUT', path, { token, body: { status: 'failed', note: 'No' } })
    await server.request('PUT', path, { token, body: { status: 'passed' } })
    await server.request('POST', `${path}/attachments?name=shot.txt`, { token, body: Buffer.from('bytes') })
    const bundle = await fetchExport(server, made)
    const files = await unzip(bundle)
    expect(JSON.parse(files.get('manifest.json') ?? '')).toMatchObject({ format: 'caseward-bundle', version: 1 })
    expect([...files].filter(([name]) => name.startsWith('files/')).map(([, text]) => text)).toEqual(['bytes'])
    const records = await readBundleRecords(bundle)
    expect(records.filter(({ kind }) => kind === 'result')).toMatchObject([
      { run: run.id, case: 'WEB-1', status: 'failed', note: 'No', person: made.admin.id },
      { run: run.id, case: 'WEB-1', status: 'passed' },
    ])
    expect(records.find(({ kind }) => kind === 'case')).toMatchObject({
      steps: [{ action: 'Open' }, { shared: login.id, steps: [{ action: 'User' }, { action: 'Password' }] }, {}],
    })
    const json = JSON.parse((await fetchExport(server, made, '?format=json&include=cases')).toString()) as {
      records: ExportedRecord[]
    }
    expect(json.records.map(({ kind }) => kind)).toEqual(['source', 'person', 'shared_steps', 'case'])

    const viewer = await makeMember(server, made.id, 'viewer')
    const seen = await readBundleRecords(await fetchExport(server, made, '?include=cases', viewer.token))
    expect(seen.filter(({ email }) => email !== undefined)).toEqual([])
    expect(seen.filter(({ kind }) => kind === 'person')).toHaveLength(2)
    const plan = await planFile(server, await makeProject(server), bundle, 'all.zip')
    expect(summarizePlan(plan)).toEqual(expect.arrayContaining(['attachment create 1']))
  })

  it('returns features, and Excel files, of the test cases that filters match', async () => {
    const features = await unzip(await fetchExport(server, project, '?format=gherkin&tag=smoke&archived=false'))
    expect([...features.keys()]).toEqual(['Shop _ a_b/Cards.feature'])
    expect([...features.values()][0]).toContain(
      '  @WEB-2 @smoke @a,_b\n  Scenario: =Pays “by card”\n    Given Signed in\n',
    )
    const excel = await fetchExport(server, project, '?format=xlsx&field.severity=blocker')
    const plan = await planFile(server, project, excel, 'cases.xlsx')
    expect(summarizePlan(plan)).toContain('case unchanged 1')
  })
})
