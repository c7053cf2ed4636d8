import { readBuildData } from '@caseward/ci-run/build-data'
import { getRun, type Run } from '@caseward/client/endpoints'

import { type Connection, expectSuccess } from '../../../connect.ts'
import type { Context } from '../../../context.ts'
import { getErrorMessage } from '../../../text.ts'
import { renderSummary, type SummaryInput } from '../render-summary.ts'
import { findForge } from './find-forge.ts'
import { ForgeError } from './forge.ts'
import { toMarker, writeComment } from './write-comment.ts'

/** GitHub refuses more than 65,536 characters; a byte is at least one. */
export const MAX_COMMENT_BYTES = 60_000

/**
 * Comments on the pull request of this build. The exit code does not depend on it.
 * @returns why there is no comment; null if all is well
 */
export async function commentOnBuild(
  input: SummaryInput,
  connection: Connection,
  { runtime }: Pick<Context, 'runtime'>,
): Promise<string | null> {
  const { pull_request: pullRequest } = readBuildData(runtime.env, {}, runtime.cwd())
  const forge = findForge(runtime.env, pullRequest)
  if (typeof forge === 'string') return `No comment: ${forge}`
  const { evidence, judgement } = input
  try {
    const { run_id } = evidence.evaluation
    const reply = await connection.client.call(getRun, { params: { run_id } })
    const run = expectSuccess(reply, connection, {}).data.data
    await writeComment(forge, {
      marker: toMarker(run.project_id, getSuite(run)),
      body: renderSummary(input, MAX_COMMENT_BYTES),
      isWorthIt:
        judgement.reasons.length + judgement.blocking.length + judgement.others.length + evidence.suiteErrorCount > 0,
    })
    return null
  } catch (error) {
    return `The comment could not be written: ${getErrorMessage(error)}.${describeRefusal(error, runtime.env)}`
  }
}

const getSuite = ({ metadata }: Run): string => metadata['suite']?.trim() ?? ''

function describeRefusal(error: unknown, env: Readonly<Record<string, string | undefined>>): string {
  if (!(error instanceof ForgeError) || error.status === null || ![401, 403, 404].includes(error.status)) return ''
  return env['GITHUB_ACTIONS'] === 'true'
    ? ' The job needs the permission pull-requests: write, which builds of forks do not get.'
    : ' GITLAB_TOKEN must be a project token with the scope api and at least the role Developer.'
}
