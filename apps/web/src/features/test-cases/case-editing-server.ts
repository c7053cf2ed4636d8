import type { Client } from '@caseward/client'
import { createTestCase, getTestCase, type TestCase, updateTestCase } from '@caseward/client/endpoints'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { request, RequestFailed } from '../../request-failed.ts'
import { type CaseEditingServer, ChangedMeanwhile } from './case-editing.ts'
import { createEmptyCase } from './empty-case.ts'

/**
 * Saves the test cases of a project.
 * @param getClient returns the client for changes
 * @param isGone whether the page is gone, so that it would not learn of a new test case
 */
export function createCaseEditingServer(
  project_id: string,
  getClient: () => Pick<Client, 'call'> = () => api,
  isGone: () => boolean = () => false,
): CaseEditingServer {
  return {
    async create(body) {
      if (isGone()) throw new Error('The page is gone.')
      const { data } = await request(api, createTestCase, { params: { project_id }, body })
      // The response has no tags, place and version.
      const params = { project_id, test_case_id: data.data.id }
      try {
        return (await request(api, getTestCase, { params })).data.data
      } catch {
        // It exists: another attempt would create a second one.
        return {
          ...createEmptyCase(null),
          ...data.data,
          tags: body.tags ?? [],
          template: body.template ?? 'steps',
          version: 1,
        }
      }
    },
    async update(test_case_id, body, version) {
      const params = { project_id, test_case_id }
      try {
        const headers = { 'if-match': `"${version}"` }
        const { data } = await request(getClient(), updateTestCase, { params, body, headers })
        const { version: newVersion, updated_at, step_groups } = data.data
        return { version: newVersion, updated_at, ...(step_groups === undefined ? {} : { step_groups }) }
      } catch (error) {
        throw toChangedMeanwhile(error) ?? error
      }
    },
    canRetry: (error) => describeFailure(error).canRetry,
  }
}

function toChangedMeanwhile(error: unknown): ChangedMeanwhile | null {
  if (!(error instanceof RequestFailed) || error.reply.kind !== 'problem' || error.reply.status !== 412) return null
  const { current, changed_by } = error.reply.problem as { current?: TestCase; changed_by?: { name: string } | null }
  return current === undefined ? null : new ChangedMeanwhile(current, changed_by?.name ?? null)
}
