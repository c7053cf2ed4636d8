import type { ProjectRef } from '../../access/project-cache.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { DoneRecord } from './import-records.queries.ts'
import type { Source, SourceLink } from './source-links.queries.ts'

/** What writing test cases of an import needs to know. */
export interface ApplyContext {
  claim: ClaimedImport
  project: ProjectRef
  source: Source
  format: string
  author: CaseAuthor
  actor: AuditActor
  /** Of the locked project. */
  fieldsVersion: number
  lastNumber: number
}

/** What became of test cases, and how the next import of the source finds them. */
export interface Applied {
  done: DoneRecord[]
  links: SourceLink[]
}
