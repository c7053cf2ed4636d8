import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import { callAs, makeFullHistory } from '@caseward/test-support/full-history'
import { actOnImport, planFile } from '@caseward/test-support/import-scenario'
import { type ExportedRecord, fetchExport, readBundleRecords, withoutIds } from '@caseward/test-support/project-export'
import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useTestServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const makeCopy = async ({ admin }: MadeProject): Promise<MadeProject> => ({
  ...(await makeProject(server, { token: admin.token })),
  admin,
})

const importInto = async (project: MadeProject, bundle: Buffer) =>
  await actOnImport(server, project, await planFile(server, project, bundle, 'shop.zip'), 'apply')

const readExport = async (project: MadeProject) => await readBundleRecords(await fetchExport(server, project))

const countLosses = ({ planning }: Awaited<ReturnType<typeof planFile>>) =>
  Object.fromEntries((planning?.losses ?? []).map(({ code, count }) => [code, count]))

const summarize = ({ planning }: Awaited<ReturnType<typeof planFile>>) =>
  (planning?.actions ?? []).map(({ kind, action, count }) => `${kind} ${action} ${count}`)

/**
 * Records as they are equal in a copy: an import gives new ids, says where objects are from, and test cases begin with the version
 * that they have.
 */
function normalize(records: readonly ExportedRecord[], { admin }: MadeProject): ExportedRecord[] {
  return withoutIds(records, new Set([admin.id]))
    .filter(({ kind }) => kind !== 'source')
    .map((record) => ({
      ...record,
      sources: ((record['sources'] ?? []) as { system: string }[]).filter(({ system }) => system !== 'caseward'),
      key: record.key?.replace(/^[-0-9a-f]{36}/, 'id'),
      ...('case_version' in record ? { case_version: null } : {}),
      ...(record.kind === 'run' ? { metadata: { ...(record['metadata'] as object), 'Imported from': '' } } : {}),
    }))
}

describe('a bundle of a project with everything', () => {
  let project: MadeProject
  let bundle: Buffer
  beforeAll(async () => {
    project = await makeProject(server)
    await makeFullHistory(server, project)
    bundle = await fetchExport(server, project)
  })

  it('gives an equal project when it is imported into an empty one, changes nothing again, and can be undone', async () => {
    const before = await readBundleRecords(bundle)
    const copy = await makeCopy(project)
    const done = await importInto(copy, bundle)
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(countLosses(done)).toEqual({})
    const after = await readExport(copy)
    expect(normalize(after, project)).toEqual(normalize(before, project))
    expect(
      before.filter(({ fields, kind }) => kind === 'result' && Object.keys(fields as object).length > 0),
    ).toHaveLength(2)
    await expectCorrectCounters(server, copy.id)

    const again = await importInto(copy, bundle)
    expect(summarize(again).filter((line) => !line.includes('unchanged'))).toEqual([])
    expect(normalize(await readExport(copy), project)).toEqual(normalize(after, project))

    const undone = await actOnImport(server, copy, done, 'undo')
    expect(undone.state).toBe('undone')
    const kept = new Set(['source', 'person', 'field'])
    expect((await readExport(copy)).filter(({ kind }) => !kept.has(kind))).toEqual([])
    await expectCorrectCounters(server, copy.id)
  })

  it('leaves what people have entered here after the import when it is undone', async () => {
    const copy = await makeCopy(project)
    const done = await importInto(copy, bundle)
    const runs = (await readExport(copy)).filter(({ kind }) => kind === 'run')
    const nightly = runs.find(({ name }) => name === 'Nightly')?.key ?? ''
    const { token } = copy.admin
    await callAs(server, token, 'PATCH', `/v1/runs/${nightly}/results/WEB-1`, { fields: { load: 8 } })
    await actOnImport(server, copy, done, 'undo')
    const names = async () => (await readExport(copy)).filter(({ kind }) => kind === 'run').map(({ name }) => name)
    expect(await names()).toEqual(['Nightly'])
  })
})
