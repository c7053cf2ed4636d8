import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { callAs, makeFullHistory } from '@caseward/test-support/full-history'
import { actOnImport, countLosses, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
import { fetchExport, readBundleRecords, unzip, withoutOrigin } from '@caseward/test-support/project-export'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

import { joinImportedPeopleJob } from '../../imported-people/join-imported-people.ts'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** An empty project of the same people. */
async function makeCopy({ admin }: MadeProject, members: readonly { id: string }[]): Promise<MadeProject> {
  const copy = { ...(await makeProject(server, { token: admin.token })), admin }
  for (const { id } of members) {
    await server.db.insertInto('memberships').values({ project_id: copy.id, user_id: id, role: 'member' }).execute()
  }
  return copy
}

const importInto = async (project: MadeProject, bundle: Buffer) =>
  await actOnImport(server, project, await planFile(server, project, bundle, 'shop.zip'), 'apply')

const readExport = async (project: MadeProject) => await readBundleRecords(await fetchExport(server, project))

describe('a bundle of a project with everything', () => {
  let project: MadeProject
  let bundle: Buffer
  let ada: Awaited<ReturnType<typeof makeMember>>
  beforeAll(async () => {
    project = await makeProject(server)
    ada = await makeMember(server, project.id, 'member')
    await makeFullHistory(server, project, ada.token)
    bundle = await fetchExport(server, project)
  })

  it('gives an equal project when it is imported into an empty one, changes nothing again, and can be undone', async () => {
    const before = await readBundleRecords(bundle)
    const ids = new Set([project.admin.id, ada.id])
    const copy = await makeCopy(project, [ada])
    const done = await importInto(copy, bundle)
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(countLosses(done)).toEqual({})
    const after = await readExport(copy)
    expect(withoutOrigin(after, ids)).toEqual(withoutOrigin(before, ids))
    expect(
      before.filter(({ fields, kind }) => kind === 'result' && Object.keys(fields as object).length > 0),
    ).toHaveLength(2)
    expect(before.filter(({ kind }) => kind === 'comment')).toHaveLength(6)
    expect(before.filter(({ kind }) => kind === 'attachment')).toHaveLength(8)
    expect(before.find(({ name }) => name === 'firefox.txt')).toMatchObject({ place: 1, step: 2 })
    const stepped = before.filter(
      ({ kind, status, case: id }) => kind === 'result' && id === 'WEB-2' && status === 'failed',
    )
    expect(stepped).toMatchObject([{ steps: [{ place: 1, steps: [{}, { actual: 'Error 500' }] }, { place: 2 }] }])
    expect(before.find(({ combinations }) => (combinations as object[] | null)?.length === 1)).toMatchObject({
      combinations: [{ place: 1, status: 'blocked', steps: [{ position: 1, status: 'blocked' }] }],
    })
    expect(before.filter(({ kind }) => kind === 'test_outcome')).toHaveLength(3)
    expect(before.filter(({ kind }) => kind === 'suite_error')).toHaveLength(1)
    expect(before.filter(({ kind }) => kind === 'left_out').map(({ of }) => of)).toEqual(
      expect.arrayContaining(['test', 'suite_error']),
    )
    expect(before.filter(({ kind }) => kind === 'quarantine')).toMatchObject([
      { reason: 'Times out', ended_at: null, branches: ['main', 'release/*'] },
      { end_reason: 'Repaired' },
    ])
    expect(before.find(({ name, kind }) => kind === 'run' && name === 'Pipeline')).toMatchObject({
      uploads: [
        { number: 1, job: '' },
        { source: 2, instance: 'linux' },
        { source: 3, job: 'e2e', failed_count: 1 },
      ],
      jobs: [{ job: 'e2e', expected_shards: 2, shards_done: ['1/2'] }],
    })
    expect(before.filter(({ parts }) => Array.isArray(parts) && parts.length > 1)).toHaveLength(2)
    const contents = async (bytes: Buffer) =>
      Object.fromEntries([...(await unzip(bytes))].filter(([path]) => path.startsWith('files/')))
    expect(await contents(await fetchExport(server, copy))).toEqual(await contents(bundle))
    expect(before.filter(({ kind }) => kind === 'case_version').length).toBeGreaterThanOrEqual(8)
    await expectCorrectCounters(server, copy.id)

    const again = await importInto(copy, bundle)
    expect(summarizePlan(again).filter((line) => !line.includes('unchanged'))).toEqual([])
    expect(withoutOrigin(await readExport(copy), ids)).toEqual(withoutOrigin(after, ids))

    const undone = await actOnImport(server, copy, done, 'undo')
    expect(undone.state).toBe('undone')
    const kept = new Set(['source', 'person', 'field'])
    expect((await readExport(copy)).filter(({ kind }) => !kept.has(kind))).toEqual([])
    await expectCorrectCounters(server, copy.id)
  })

  it('leaves what people have entered here after the import when it is undone', async () => {
    const copy = await makeCopy(project, [ada])
    const done = await importInto(copy, bundle)
    const runs = (await readExport(copy)).filter(({ kind }) => kind === 'run')
    const nightly = runs.find(({ name }) => name === 'Nightly')?.key ?? ''
    const { token } = copy.admin
    const comments = `/v1/projects/${copy.id}/test-cases/WEB-2/comments`
    await callAs(server, token, 'POST', comments, { body: 'Stays' })
    await callAs(server, token, 'PATCH', `/v1/runs/${nightly}/results/WEB-1`, { fields: { load: 8 } })
    await actOnImport(server, copy, done, 'undo')
    const kept = await readExport(copy)
    expect(kept.filter(({ kind }) => kind === 'run').map(({ name }) => name)).toEqual(['Nightly'])
    expect(kept.filter(({ kind }) => kind === 'comment').map(({ text }) => text)).toContain('Stays')
    await expectCorrectCounters(server, copy.id)
  })

  it('adds what is new there, which can be undone alone', async () => {
    const copy = await makeCopy(project, [ada])
    await importInto(copy, bundle)
    const before = await readExport(copy)
    const { token } = project.admin
    const path = `/v1/projects/${project.id}/test-cases/WEB-3/comments`
    const { id } = await callAs(server, token, 'POST', path, { body: 'Later' })
    const later = await importInto(copy, await fetchExport(server, project))
    expect(later).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(summarizePlan(later)).toEqual(expect.arrayContaining(['comment create 1', 'comment unchanged 6']))
    await callAs(server, token, 'PATCH', `/v1/projects/${project.id}/comments/${id}`, { body: 'Later (edited)' })
    const third = await importInto(copy, await fetchExport(server, project))
    expect(countLosses(third)).toEqual({ comment_kept: 1 })
    await actOnImport(server, copy, later, 'undo')
    const ids = new Set([project.admin.id, ada.id])
    expect(withoutOrigin(await readExport(copy), ids)).toEqual(withoutOrigin(before, ids))
    await expectCorrectCounters(server, copy.id)
    await callAs(server, token, 'DELETE', `/v1/projects/${project.id}/comments/${id}`)
  })

  it('shows in a copy which jobs have reported, and goes on to number what CI sends', async () => {
    const copy = await makeCopy(project, [ada])
    const done = await importInto(copy, bundle)
    const { token } = copy.admin
    const [run, source] = [copy, project].map(async (made) => {
      const { key } = (await readExport(made)).find(({ name }) => name === 'Pipeline') ?? { key: '' }
      return { key, jobs: await callAs<object>(server, token, 'GET', `/v1/runs/${key}/jobs`) }
    })
    const [ofCopy, ofSource] = [await run, await source]
    expect(ofCopy?.jobs).toEqual(ofSource?.jobs)
    await callAs(server, token, 'PATCH', `/v1/runs/${ofCopy?.key}`, { status: 'in_progress' })
    const body = {
      run_id: ofCopy?.key,
      format: 'tests',
      job: 'late',
      tests: [{ name: 'new one', attempts: [{ status: 'passed' }] }],
    }
    const ci = await makeCiToken(server, copy)
    expect((await server.request('POST', '/v1/results', { token: ci, body })).status).toBe(200)
    const uploads = (await readExport(copy)).find(({ key }) => key === ofCopy?.key)?.['uploads'] as { source: number }[]
    expect(uploads.at(-1)).toMatchObject({ number: 4, source: 4, job: 'late' })
    const leftOut = await callAs<{ id: string; name: string }[]>(
      server,
      token,
      'GET',
      `/v1/runs/${ofCopy?.key}/left-out`,
    )
    expect(leftOut.map(({ name }) => name).toSorted()).toEqual(['Shop > refunds', 'global setup'])
    for (const { id } of leftOut) await callAs(server, token, 'DELETE', `/v1/runs/${ofCopy?.key}/left-out/${id}`)
    await expectCorrectCounters(server, copy.id)
    expect((await readExport(copy)).filter(({ kind }) => kind === 'suite_error')).toHaveLength(2)
    // CI has reported here: the run stays when the import is undone, and so does a quarantine that was changed.
    const [quarantine] = await callAs<{ id: string }[]>(
      server,
      token,
      'GET',
      `/v1/projects/${copy.id}/quarantines?active=true`,
    )
    const path = `/v1/projects/${copy.id}/quarantines/${quarantine?.id}`
    await callAs(server, token, 'PATCH', path, { reason: 'Still times out' })
    await actOnImport(server, copy, done, 'undo')
    const kept = await readExport(copy)
    expect(kept.filter(({ kind }) => kind === 'run').map(({ name }) => name)).toEqual(['Pipeline'])
    expect(kept.filter(({ kind }) => kind === 'quarantine')).toMatchObject([{ reason: 'Still times out' }])
    await expectCorrectCounters(server, copy.id)
  })

  it('makes no test flaky by runs that were imported', async () => {
    const copy = await makeCopy(project, [ada])
    await importInto(copy, bundle)
    const evaluate = async (made: MadeProject) => {
      const run = (await readExport(made)).find(({ name }) => name === 'Pipeline')?.key ?? ''
      const evaluation = await callAs<object>(server, made.admin.token, 'GET', `/v1/runs/${run}/evaluation`)
      const events = await server.db
        .selectFrom('flake_events')
        .select('kind')
        .where('project_id', '=', made.id)
        .execute()
      return { evaluation, events }
    }
    expect(await evaluate(project)).toMatchObject({ events: [{ kind: 'retry' }] })
    expect(await evaluate(copy)).toMatchObject({ evaluation: { counts: { flaked: 1 } }, events: [] })
  })

  it('names people without an account, who become members later with all that they did', async () => {
    const copy = await makeCopy(project, [])
    const done = await importInto(copy, bundle)
    expect(countLosses(done)).toEqual({ attachment_author_unknown: 1, comment_author_unknown: 3 })
    const ofPerson = async (id: string) =>
      (await readExport(copy)).filter((record) => record['person'] === id).map(({ kind }) => kind)
    const person = (await readExport(copy)).find((record) => 'imported_from' in record)?.key ?? ''
    expect(await ofPerson(person)).toEqual(['comment', 'comment', 'comment'])
    await server.db.insertInto('memberships').values({ project_id: copy.id, user_id: ada.id, role: 'member' }).execute()
    await joinImportedPeopleJob.run(server.db, AbortSignal.timeout(10_000))
    expect([await ofPerson(person), await ofPerson(ada.id)]).toEqual([[], ['comment', 'comment', 'comment']])
    await actOnImport(server, copy, done, 'undo')
    expect((await readExport(copy)).filter(({ kind }) => kind === 'comment' || kind === 'run')).toEqual([])
  })
})
