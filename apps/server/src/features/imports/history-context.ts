import type { DateReader } from './date-reader.ts'
import type { Mapping } from './plan-mapping.ts'
import type { OwnFields } from './plan-own-fields.ts'
import type { ConfigurationTargets } from './plan-own-configurations.ts'
import type { PeopleOfSource } from './resolve-people.ts'
import type { Source } from './source-links.queries.ts'

/** What planning milestones, runs and results needs to know. */
export interface HistoryContext {
  source: Source
  format: string
  mapping: Mapping
  dates: DateReader
  /** When the import was created: the time of what has none. */
  importedAt: Date
  /** Runs that were completed before are not kept here; null if all are. */
  keptSince: Date | null
  people: PeopleOfSource
  /** Whether the file is an export of this project, and its keys are ids here. */
  isSelf: boolean
  /** Ids here of the configurations of the file. */
  configurations: ConfigurationTargets
  /** Custom fields of the file. */
  ownFields: OwnFields
}
