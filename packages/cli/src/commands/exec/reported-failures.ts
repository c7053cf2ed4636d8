import { truncateText } from '@caseward/ci-run/plain-text'
import type { SourceSettings } from '@caseward/ci-run/source'
import { getRun, listRunJobs } from '@caseward/client/endpoints'

import type { Connection } from '../../connect.ts'

/** What a run has of a source. */
export interface ReportedFailures {
  readonly uploads: number
  readonly failed: number
  readonly errors: number
}

const MAX_LENGTH = 255

/**
 * Reads how many failures a run has of a source; of everything, if the server is too old to tell sources apart.
 * @returns null if the run cannot be read
 */
export async function readReportedFailures(
  { client }: Connection,
  runId: string,
  source: SourceSettings,
): Promise<ReportedFailures | null> {
  const params = { run_id: runId }
  const reply = await client.call(listRunJobs, { params })
  if (reply.kind === 'success' && reply.data.data.every(({ sources }) => Array.isArray(sources))) {
    const toStored = (text: string) => truncateText(text.trim(), MAX_LENGTH)
    const instance = toStored(source.instance) || toStored(source.label)
    const own = reply.data.data
      .filter(({ job }) => job === toStored(source.job))
      .flatMap(({ sources }) => sources)
      .filter(
        (candidate) =>
          candidate.instance === instance &&
          candidate.variant === toStored(source.variant) &&
          candidate.build_attempt === source.buildAttempt,
      )
    const sum = (name: 'upload_count' | 'failed_count' | 'error_count') =>
      own.reduce((total, counts) => total + counts[name], 0)
    return { uploads: sum('upload_count'), failed: sum('failed_count'), errors: sum('error_count') }
  }
  const run = await client.call(getRun, { params })
  if (run.kind !== 'success') return null
  const { test_stats: tests, suite_error_count: errors = 0 } = run.data.data as Partial<typeof run.data.data>
  return { uploads: 0, failed: tests?.failed ?? 0, errors }
}

/** Whether failures were reported between two readings. An error that is reported again replaces the earlier one. */
export function hasNewFailures(before: ReportedFailures, after: ReportedFailures): boolean {
  if (after.failed > before.failed || after.errors > before.errors) return true
  return after.uploads > before.uploads && after.errors > 0
}
