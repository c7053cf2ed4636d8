import type { Run } from '@caseward/contract/run-schemas'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { declare, digest, sendContent } from '@caseward/test-support/declared-files'
import { makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { hasCitus } from '../../platform/database/connect.ts'

const server = useTestServer()

const items = (from: number, to: number, fields: object) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ test_case_id: `WEB-${from + index}`, ...fields }))

describe('concurrent uploads to one run', () => {
  it('store every result when each has test cases of its own', async () => {
    const { project, upload, results } = await makeUploadScenario(server, 200)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        upload({ results: items(index * 10 + 1, index * 10 + 10, { status: 'passed', note: `from ${index}` }) }),
      ),
    )
    expect(responses.map(({ status, body }) => [status, body.uploaded_count])).toEqual(responses.map(() => [200, 10]))
    const notes = [...(await results()).values()].map(({ note }) => note)
    expect(notes).toEqual(Array.from({ length: 200 }, (_, index) => `from ${Math.floor(index / 10)}`))
    await expectCorrectCounters(server, project.id)
  })

  it(
    'do not deadlock on the same test cases in different order, and leave the results of one upload',
    { tags: ['spec:upload/uploading-a-case-again-overwrites-its-earlier'] },
    async () => {
      const { project, upload, results } = await makeUploadScenario(server, 100)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const all = items(1, 100, { status: index % 2 === 0 ? 'passed' : 'failed', elapsed: index })
          return upload({ results: index % 3 === 0 ? all.toReversed() : all })
        }),
      )
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
      const elapsedTimes = [...(await results()).values()].map(({ elapsed }) => elapsed)
      // The last upload overwrote all results of the others.
      expect(new Set(elapsedTimes).size).toBe(1)
      await expectCorrectCounters(server, project.id)
    },
  )

  it('leave correct counters together with single and bulk updates, deletions and added test cases', async () => {
    const { project, run, token, upload, uploadXml, results } = await makeUploadScenario(server, 60)
    const added = await makeTestCases(server, project, 10)
    const path = `/v1/runs/${run.id}`
    const statuses = ['passed', 'failed', 'blocked', 'retest', 'not_tested']
    const steps = Array.from({ length: 20 }, (_, index) => {
      const status = statuses[index % 5]
      return [
        upload({ results: items(index + 1, index + 40, { status }) }),
        uploadXml(
          `<testsuite>${items(1, 60, {})
            .map((item) => `<testcase name="${item.test_case_id}"/>`)
            .join('')}</testsuite>`,
        ),
        server.request('PUT', `${path}/results/WEB-${index + 20}`, { token, body: { status } }),
        server.request('POST', `${path}/results/bulk`, { token, body: { results: items(5, 50, { status }) } }),
        server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-${index + 41}`, { token }),
        server.request('POST', `${path}/test-cases`, { token, body: { test_case_ids: added.slice(0, index % 10) } }),
      ]
    })
    const responses = await Promise.all(steps.flat())
    expect(responses.filter(({ status }) => ![200, 207, 404].includes(status))).toEqual([])
    await expectCorrectCounters(server, project.id)
    expect([...(await results()).values()].length).toBeGreaterThan(0)
    const { body } = await server.request<{ data: Run }>('GET', path, { token })
    expect(body.data.result_count).toBe(69)
  })
})

describe('shards that declare files in one run at the same time', () => {
  it('wait for each other without a deadlock, and leave correct counters when their contents arrive meanwhile', async () => {
    const { project, run, ci: token, upload } = await makeUploadScenario(server, 10)
    const shards = Array.from({ length: 12 }, (_, index) => index)
    // All of them have the same video, and a part of the tests of others, in another order.
    const toTests = (shard: number, round: number) => {
      const tests = Array.from({ length: 10 }, (_, index) => ({
        name: `WEB-${index + 1} of ${(shard + index) % 4}`,
        attempts: [
          {
            status: 'failed',
            attachments: [declare('video.webm', 'video'), declare('shot.png', `${round} ${index} ${shard % 4}`)],
          },
        ],
      }))
      return shard % 2 === 0 ? tests : tests.toReversed()
    }
    const send = async (shard: number, round: number) => {
      const { status, body } = await upload({
        format: 'tests',
        tests: toTests(shard, round),
        job: `shard ${shard % 6}`,
        instance: '1',
      })
      const contents = ['video', ...Array.from({ length: 10 }, (_, index) => `${round} ${index} ${shard % 4}`)]
      const missing = new Set(body.attachments?.missing.map(({ sha256 }) => sha256))
      const puts = await Promise.all(
        contents
          .filter((content) => missing.has(digest(content)))
          .map((content) =>
            sendContent(server, `/v1/runs/${run.id}/files/${digest(content)}`, content, { token }).then(
              (put) => put.status,
            ),
          ),
      )
      // What another shard has replaced meanwhile is not awaited any more.
      return [status, ...puts].filter((one) => ![200, 201, 404].includes(one))
    }
    for (const round of [1, 2]) {
      expect((await Promise.all(shards.map((shard) => send(shard, round)))).flat()).toEqual([])
      await expectCorrectCounters(server, project.id)
    }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from run_attachments where run_id = ${run.id}`.execute(server.db)
    expect(rows[0]?.count).toBeGreaterThan(0)
  })
})

describe('uploads that wait for the row lock of a run', () => {
  it('leave database connections to other requests when there are 24 of them for 6 runs', async () => {
    const { project, run, token, upload } = await makeUploadScenario(server, 2)
    const otherRuns = await Promise.all(Array.from({ length: 5 }, () => makeRun(server, project)))
    let responses: Promise<{ status: number }[]> = Promise.resolve([])
    await server.db.transaction().execute(async (tx) => {
      await sql`select from runs where project_id = ${project.id} for update`.execute(tx)
      const uploads = [run, ...otherRuns].flatMap(({ id: run_id }) =>
        Array.from({ length: 4 }, () => upload({ run_id, results: items(1, 2, { status: 'passed' }) })),
      )
      const renames = otherRuns.map(({ id }) =>
        server.request('PATCH', `/v1/runs/${id}`, { token, body: { name: 'Renamed' } }),
      )
      responses = Promise.all([...uploads, ...renames])
      await waitForBlocked()
      const meanwhile = await Promise.all([
        server.request('GET', '/readyz'),
        server.request('GET', '/v1/projects', { token }),
        server.request('GET', `/v1/runs/${run.id}/results`, { token }),
      ])
      expect(meanwhile.map(({ status }) => status)).toEqual([200, 200, 200])
    })
    expect((await responses).filter(({ status }) => status !== 200)).toEqual([])
    await expectCorrectCounters(server, project.id)
  })
})

describe('an upload while a test case is being deleted', () => {
  it('returns the error not_in_run for that test case, and stores the others', async () => {
    const { project, run, upload } = await makeUploadScenario(server, 3)
    let response: ReturnType<typeof upload> | undefined
    // The statements of deleting WEB-2, with the commit delayed.
    await server.db.transaction().execute(async (tx) => {
      await sql`delete from test_cases where project_id = ${project.id} and number = 2`.execute(tx)
      await sql`
        update test_results set case_number = null
        where project_id = ${project.id} and run_id = ${run.id} and case_number = 2`.execute(tx)
      await sql`update projects set test_case_count = test_case_count - 1 where id = ${project.id}`.execute(tx)
      response = upload({
        results: [...items(1, 3, { status: 'failed' }), { test_case_id: 'WEB-9', status: 'failed' }],
      })
      await waitForBlocked()
    })
    const { status, body } = (await response) ?? {}
    expect([status, body?.uploaded_count, body?.errors?.map((error) => error.test_case_id)]).toEqual([
      207,
      2,
      ['WEB-2', 'WEB-9'],
    ])
    const orphan = await server.db
      .selectFrom('test_results')
      .select('status')
      .where('run_id', '=', run.id)
      .where('case_number', 'is', null)
      .executeTakeFirst()
    expect(orphan?.status).toBe('not_tested')
    await expectCorrectCounters(server, project.id)
  })
})

describe('an upload with finished_at', () => {
  it('keeps a result that a user sets while the upload waits for the row lock', async () => {
    const { project, run, upload, results } = await makeUploadScenario(server, 2)
    const late = { results: items(1, 2, { status: 'passed' }), finished_at: '2026-01-05T12:00:00Z' }
    let response: ReturnType<typeof upload> | undefined
    // The statements of setting WEB-2, with the commit delayed.
    await server.db.transaction().execute(async (tx) => {
      await sql`update runs set not_tested_count = 1, failed_count = 1 where id = ${run.id}`.execute(tx)
      response = upload(late)
      await waitForBlocked()
      await sql`
        update test_results set status = 'failed', tested_at = now()
        where project_id = ${project.id} and run_id = ${run.id} and case_number = 2`.execute(tx)
    })
    const { status, body } = (await response) ?? {}
    expect([status, body?.uploaded_count, body?.errors?.map(({ test_case_id, code }) => [test_case_id, code])]).toEqual(
      [207, 1, [['WEB-2', 'newer_result']]],
    )
    expect((await results()).get('WEB-2')?.status).toBe('failed')
    await expectCorrectCounters(server, project.id)
  })

  it('does not overwrite results that users set at the same time', async () => {
    const { project, run, token, upload, results } = await makeUploadScenario(server, 40)
    const late = { results: items(1, 40, { status: 'passed' }), finished_at: '2026-01-05T12:00:00Z' }
    const setFailed = (number: number) =>
      server.request('PUT', `/v1/runs/${run.id}/results/WEB-${number}`, { token, body: { status: 'failed' } })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => [setFailed(index + 1), upload(late), setFailed(40 - index)]).flat(),
    )
    expect(responses.filter(({ status }) => status !== 200 && status !== 207)).toEqual([])
    expect(new Set([...(await results()).values()].map(({ status }) => status))).toEqual(new Set(['failed']))
    await expectCorrectCounters(server, project.id)
  })
})

/** Waits until a statement is blocked by a lock of another transaction, on a distributed database also on a node. */
async function waitForBlocked(): Promise<void> {
  const waits = hasCitus(server.db)
    ? sql`citus_lock_waits`
    : sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from ${waits}`.execute(server.db)
      return rows[0]?.waiting
    })
    .toBeGreaterThan(0)
}

describe('an upload that fails after its first write', () => {
  it('returns 500 and stores nothing', { tags: ['spec:errors/500-ci-upload-unexpected-error'] }, async () => {
    const { project, upload, results } = await makeUploadScenario(server, 3)
    await sql`
      alter table test_results add constraint refuse_web_3 check (case_number <> 3 or status <> 'blocked')`.execute(
      server.db,
    )
    const { status } = await upload({ results: items(1, 3, { status: 'blocked' }) })
    await sql`alter table test_results drop constraint refuse_web_3`.execute(server.db)
    expect(status).toBe(500)
    expect([...(await results()).values()].map((result) => result.status)).toEqual(
      items(1, 3, {}).map(() => 'not_tested'),
    )
    await expectCorrectCounters(server, project.id)
  })
})
