import { RequestFailed } from '../../request-failed.ts'

/** Results that lack fields which their statuses need, so that the run was not completed. */
export interface MissingFields {
  readonly missing_count: number
  /** The first of them. */
  readonly missing: readonly {
    readonly result_id: string
    readonly test_case_id: string | null
    readonly test_case_title: string
    /** Keys. */
    readonly fields: readonly string[]
  }[]
}

/** Returns what is missing if that is why a request failed, else null. */
export function readMissingFields(error: unknown): MissingFields | null {
  if (!(error instanceof RequestFailed) || error.reply.kind !== 'problem') return null
  const { problem } = error.reply
  return problem.code === 'required_fields_missing' ? (problem as unknown as MissingFields) : null
}
