import type { Database } from '../../platform/database/connect.ts'
import { type ClaimedImport, type ImportRow, keepImport } from './imports.queries.ts'

/** The import does not belong to this server any more, or someone has cancelled it. Nothing failed. */
export class WorkEnded extends Error {
  override readonly name = 'WorkEnded'
}

/** The work of a server on an import. */
export interface ImportWork {
  claim: ClaimedImport
  /** Aborted when the service stops, or another server has taken the import. */
  signal: AbortSignal
  /**
   * Keeps the import, and says how far it is. In a transaction, it locks the import until the end.
   * @throws {WorkEnded}
   */
  keep(db: Database, progress: ImportRow['progress']): Promise<void>
}

export const createImportWork = (claim: ClaimedImport, worker: string, signal: AbortSignal): ImportWork => ({
  claim,
  signal,
  async keep(db, progress) {
    if (signal.aborted || !(await keepImport(db, claim, worker, progress))) throw new WorkEnded()
  },
})
