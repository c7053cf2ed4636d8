import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()
const onMain = (commit: string) => ({ metadata: { branch: 'main', commit } })

describe('a quarantine', () => {
  it('excuses failures of open runs at once, and they block again after its end', async () => {
    const { project, token, build, getVerdicts, findTestId } = await makeEvaluationScenario(server)
    const path = `/v1/projects/${project.id}/quarantines`
    const call = async (method: string, url: string, body: object) =>
      (await server.request<{ data: { id: string }[] & { id: string } }>(method, url, { token, body })).body.data
    const first = await build({ pays: 'failed' }, { ...onMain('c0ffee1'), isOpen: true })
    expect(await getVerdicts(first.id)).toEqual({ pays: 'new!' })
    const [entry] = await call('POST', path, { test_id: await findTestId('pays'), reason: 'Flaps' })
    expect(await getVerdicts(first.id)).toEqual({ pays: 'quarantined' })
    await server.request('PATCH', `/v1/runs/${first.id}`, { token, body: { status: 'completed' } })
    expect(await getVerdicts(first.id)).toEqual({ pays: 'quarantined' })
    await call('DELETE', `${path}/${entry?.id}`, { end_reason: 'Fixed' })
    const second = await build({ pays: 'failed' }, onMain('c0ffee2'))
    expect(Object.values(await getVerdicts(second.id))).toEqual([expect.stringMatching(/!$/)])
    // The end of an entry counts, not the job that writes it down.
    await call('POST', path, { test_id: await findTestId('pays'), reason: 'Flaps again' })
    await sql`
      update quarantines set created_at = now() - interval '14 days', expires_at = now() - interval '1 second'
      where project_id = ${project.id} and ended_at is null`.execute(server.db)
    const third = await build({ pays: 'failed' }, onMain('c0ffee3'))
    expect(await getVerdicts(third.id)).toEqual({ pays: 'already_red!' })
    // Verdicts of a settled run stay.
    expect(await getVerdicts(first.id)).toEqual({ pays: 'quarantined' })
  })

  it('is added when a test becomes flaky with a completed run, if the project wants that, and excuses the next one', async () => {
    const { project, token, build, evaluate, getVerdicts, findTestId } = await makeEvaluationScenario(server)
    await sql`update projects set auto_quarantine = true where id = ${project.id}`.execute(server.db)
    const list = async () => {
      const { body } = await server.request<{ data: { is_automatic: boolean; reason: string }[] }>(
        'GET',
        `/v1/projects/${project.id}/quarantines`,
        { token },
      )
      return body.data
    }
    for (const commit of ['c0ffee1', 'c0ffee2']) {
      expect(await list()).toEqual([])
      await evaluate((await build({ pays: ['failed', 'passed'] }, onMain(commit))).id)
    }
    expect(await list()).toMatchObject([
      { is_automatic: true, reason: 'Became flaky: it passed and failed on 2 of 2 commits.' },
    ])
    const stability = `/v1/projects/${project.id}/tests/${await findTestId('pays')}/stability`
    expect((await server.request('GET', stability, { token })).body).toMatchObject({
      data: { state: 'flaky', flake_commits: 2, events: [{ kind: 'retry', commit: 'c0ffee2' }, { commit: 'c0ffee1' }] },
    })
    const third = await build({ pays: 'failed' }, onMain('c0ffee3'))
    expect(await getVerdicts(third.id)).toEqual({ pays: 'quarantined' })
  })

  it('of a broken test excuses it until it ends', async () => {
    const { project, token, build, evaluate, getVerdicts, findTestId } = await makeEvaluationScenario(server)
    for (const commit of ['c0ffee1', 'c0ffee2', 'c0ffee3'])
      await evaluate((await build({ pays: 'failed' }, onMain(commit))).id)
    const testId = await findTestId('pays')
    const find = async (query: string) =>
      (await server.request<{ data: { id: string }[] }>('GET', `/v1/projects/${project.id}/tests?${query}`, { token }))
        .body.data
    expect(await find('stability=broken')).toMatchObject([{ id: testId }])
    const body = { test_id: testId, reason: 'Being rewritten' }
    await server.request('POST', `/v1/projects/${project.id}/quarantines`, { token, body })
    const fourth = await build({ pays: 'failed' }, onMain('c0ffee4'))
    expect(await getVerdicts(fourth.id)).toEqual({ pays: 'quarantined' })
    await evaluate((await build({ pays: 'passed' }, onMain('c0ffee5'))).id)
    expect(await find('stability=broken')).toEqual([])
  })
})
