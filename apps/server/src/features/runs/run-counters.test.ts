import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const status = fc.constantFrom('passed', 'failed', 'blocked', 'retest', 'not_tested')
const run = fc.nat(2)
const caseId = fc.integer({ min: 1, max: 9 }).map((number) => `WEB-${number}`)
const item = fc.record({ test_case_id: caseId, status })

/** One request of those that change counters; `run` is the index of a run that may not exist. */
const action = fc.oneof(
  fc.record({ do: fc.constant('create' as const), ids: fc.option(fc.array(caseId, { maxLength: 5 })) }),
  fc.record({ do: fc.constant('put' as const), run, id: caseId, status }),
  fc.record({ do: fc.constant('bulk' as const), run, items: fc.array(item, { maxLength: 9 }) }),
  fc.record({ do: fc.constant('upload' as const), run, items: fc.array(item, { maxLength: 9 }), dry: fc.boolean() }),
  fc.record({ do: fc.constant('add' as const), run, ids: fc.array(caseId, { maxLength: 5 }) }),
  fc.record({ do: fc.constant('remove' as const), run, ids: fc.array(caseId, { maxLength: 5 }) }),
  fc.record({ do: fc.constant('attach to result' as const), run, id: caseId, text: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('attach to case' as const), id: caseId, text: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('delete cases' as const), ids: fc.array(caseId, { maxLength: 5 }) }),
  fc.record({ do: fc.constant('complete' as const), run, status: fc.constantFrom('completed', 'in_progress') }),
  fc.record({ do: fc.constant('delete case' as const), id: caseId }),
  fc.record({ do: fc.constant('delete run' as const), run }),
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

async function performAndRecount(actions: Action[], isConcurrent: boolean): Promise<void> {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, 8)
  const ci = await makeCiToken(server, project)
  const runs = [await makeRun(server, project), await makeRun(server, project, { test_case_ids: ['WEB-1', 'WEB-2'] })]
  const getId = (index: number) => runs[index]?.id ?? '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'
  const perform = async (step: Action) => {
    switch (step.do) {
      case 'create':
        return await server.request('POST', `/v1/projects/${project.id}/runs`, {
          token,
          body: { name: 'x', ...(step.ids === null ? {} : { test_case_ids: step.ids }) },
        })
      case 'put':
        return await server.request('PUT', `/v1/runs/${getId(step.run)}/results/${step.id}`, { token, body: step })
      case 'bulk':
        return await server.request('POST', `/v1/runs/${getId(step.run)}/results/bulk`, {
          token,
          body: { results: step.items },
        })
      case 'upload':
        return await server.request('POST', '/v1/results', {
          token: ci,
          body: { run_id: getId(step.run), results: step.items, dry_run: step.dry },
        })
      case 'add':
        return await server.request('POST', `/v1/runs/${getId(step.run)}/test-cases`, {
          token,
          body: { test_case_ids: step.ids },
        })
      case 'remove':
        return await server.request('DELETE', `/v1/runs/${getId(step.run)}/test-cases`, {
          token,
          body: { test_case_ids: step.ids },
        })
      case 'attach to result':
        return await server.request(
          'POST',
          `/v1/runs/${getId(step.run)}/results/${step.id}/attachments?name=${step.text}`,
          { token, body: Buffer.from(step.text) },
        )
      case 'attach to case':
        return await server.request(
          'POST',
          `/v1/projects/${project.id}/test-cases/${step.id}/attachments?name=${step.text}`,
          { token, body: Buffer.from(step.text) },
        )
      case 'delete cases':
        return await server.request('POST', `/v1/projects/${project.id}/test-cases/bulk-delete`, {
          token,
          body: { test_case_ids: step.ids },
        })
      case 'complete':
        return await server.request('PATCH', `/v1/runs/${getId(step.run)}`, { token, body: { status: step.status } })
      case 'delete case':
        return await server.request('DELETE', `/v1/projects/${project.id}/test-cases/${step.id}`, { token })
      case 'delete run':
        break
    }
    return await server.request('DELETE', `/v1/runs/${getId(step.run)}`, { token })
  }
  const responses = isConcurrent ? await Promise.all(actions.map(perform)) : []
  if (!isConcurrent) for (const step of actions) responses.push(await perform(step))
  expect(responses.map((response) => response.status).filter((code) => code >= 500)).toEqual([])
  await expectCorrectCounters(server, project.id)
}

describe('the counters of projects and runs', () => {
  it('equal a recount after any sequence of requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 15 }), (actions) => performAndRecount(actions, false)),
      { numRuns: 8 },
    )
  })

  it('equal a recount after any requests at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 30 }), (actions) =>
        performAndRecount(actions, true),
      ),
      { numRuns: 8 },
    )
  })
})
