import type { RecordKind } from '@caseward/contract/import-kinds'
import type { ImportLoss, ImportQuestion } from '@caseward/contract/import-plan-schemas'
import type { Import } from '@caseward/contract/import-schemas'
import type { FieldStatistics } from '@caseward/importers/read-statistics'
import type { FoundOrders } from '@caseward/importers/steps/date-orders'
import type { Static } from '@caseward/contract/static'

/*
 * What is kept of an import beside its records, as JSON.
 */

type Question = Omit<Static<typeof ImportQuestion>, 'answer'>

/** What reading a file found. */
export interface ImportReading {
  counts: { kind: RecordKind; count: number }[]
  steps: number
  encoding: string | null
  losses: ImportLoss[]
  questions: Question[]
  fields: FieldStatistics[]
  priorities: [string, number][]
  types: [string, number][]
  /** Missing in imports that were read before results were imported, as are the others of results. */
  statuses?: [string, number][]
  /** Results with ids of defects, which need a pattern to become links. */
  defectIdCount?: number
  /** Ids that several test cases have. */
  duplicateKeys: string[]
  /** Test cases with ids of issues, which need a pattern to become links. */
  issueIdCount: number
  /** What results, runs and shared steps call people, up to as many as an import can have. */
  people?: string[]
  /** The order of days and months; missing in imports that were read before it was looked at. */
  dates?: FoundOrders
  /** The first time without a zone; missing in what earlier versions have read. */
  local_time?: string | null
  /** The project that an export of Caseward is of; absent for other tools. */
  own?: { projectId: string; source: string } | null
}

export type ImportPlanning = NonNullable<Import['planning']>
export type ImportProof = NonNullable<Import['proof']>
