import type { FastifyBaseLogger } from 'fastify'
import { v4 as createRandomId } from 'uuid'

import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { quotaReachedProblem, Problem } from '../../platform/http/problems.ts'
import { getReachedQuota } from '../../platform/database/quotas.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import { applyImport } from './apply-import.ts'
import { createImportWork, type ImportWork, WorkEnded } from './import-work.ts'
import {
  claimImports,
  type ClaimedImport,
  isWorking,
  keepImport,
  releaseImport,
  selectImport,
  updateImport,
  type WorkingState,
} from './imports.queries.ts'
import { type HistoryLimits } from './plan-history.ts'
import { planImport } from './plan-import.ts'
import { ImportFailure } from './read-in-worker.ts'
import { readImport } from './read-import.ts'
import { undoImport } from './undo-import.ts'

/** Works on imports in the background. */
export interface ImportRunner {
  /** Looks for imports that wait, at once. */
  wake(): void
}

/** Imports whose server is gone are found by then. */
const POLL_MS = 10_000
/** Less than the lease of an import. */
const HEARTBEAT_MS = 10_000
/** More would leave too little for requests. */
const MAX_AT_ONCE = 2

/**
 * Creates what works on the imports of all projects: each server takes some that wait, and keeps them by saying so every few
 * seconds. When a server ends, another one goes on.
 */
export function createImportRunner(
  app: Pick<App, 'addHook'>,
  deps: Pick<Deps, 'db' | 'fileStore' | 'fileLimitBytes' | 'projectCache'>,
  { log, stopSignal, runRetentionDays }: { log: FastifyBaseLogger; stopSignal: AbortSignal } & HistoryLimits,
): ImportRunner {
  const { db } = deps
  const worker = createRandomId()
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let isLooking = false
  let shouldLookAgain = false

  async function look(): Promise<void> {
    if (isLooking) {
      shouldLookAgain = true
      return
    }
    isLooking = true
    try {
      do {
        shouldLookAgain = false
        if (closing.signal.aborted || stopSignal.aborted || running.size >= MAX_AT_ONCE) break
        for (const claim of await claimImports(db, worker, MAX_AT_ONCE - running.size)) start(claim)
      } while (shouldLookAgain)
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, 'could not look for imports')
    } finally {
      isLooking = false
    }
  }

  function start(claim: ClaimedImport): void {
    const promise = run(claim)
      .catch((error: unknown) => log.error({ err: error, import: claim.id }, 'import failed'))
      .finally(() => {
        running.delete(promise)
        void look()
      })
    running.add(promise)
  }

  async function run(claim: ClaimedImport): Promise<void> {
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, closing.signal, stopSignal])
    const work = createImportWork(claim, worker, signal)
    // Reading and planning say how far they are rarely; the heartbeat also notices that someone has canceled.
    const heartbeat = setInterval(() => {
      void touchImport(claim).then(
        (isKept) => isKept || ended.abort(new WorkEnded()),
        () => {},
      )
    }, HEARTBEAT_MS)
    try {
      await runStages(work)
    } finally {
      clearInterval(heartbeat)
      await releaseImport(db, claim, worker)
    }
  }

  async function touchImport(claim: ClaimedImport): Promise<boolean> {
    const row = await selectImport(db, claim.projectId, claim.id)
    return row !== null && (await keepImport(db, claim, worker, row.progress))
  }

  async function runStages(work: ImportWork): Promise<void> {
    const { projectId, id } = work.claim
    for (;;) {
      const row = await selectImport(db, projectId, id)
      if (row === null || !isWorking(row.state)) return
      if (row.is_cancelled) {
        await updateImport(db, projectId, id, { state: 'cancelled', failed_state: row.state, progress: null })
        return
      }
      try {
        await runStage(work, row.state)
      } catch (error) {
        const current = await selectImport(db, projectId, id)
        if (error instanceof WorkEnded || work.signal.aborted) {
          if (current?.is_cancelled === true && !closing.signal.aborted) continue
          return
        }
        await fail(work.claim, row.state, error)
        return
      }
    }
  }

  async function runStage(work: ImportWork, state: WorkingState): Promise<void> {
    const { projectId, id } = work.claim
    const [row, project] = [await selectImport(db, projectId, id), await deps.projectCache.findProject(projectId)]
    if (row === null || project === null) throw new WorkEnded()
    if (state === 'reading') await readImport(deps, work, row)
    else if (state === 'planning') {
      await planImport(db, work, row, { runRetentionDays, fileLimitBytes: deps.fileLimitBytes })
    } else if (state === 'applying') await applyImport(deps, work, project, row)
    else await undoImport(db, work, project, row)
  }

  async function fail(claim: ClaimedImport, state: WorkingState, error: unknown): Promise<void> {
    const failure = describeFailure(error)
    if (failure.isDefect) log.error({ err: error, import: claim.id }, 'import failed')
    const { code, detail } = failure
    await updateImport(db, claim.projectId, claim.id, {
      state: 'failed',
      failed_state: state,
      error: { code, detail },
      progress: null,
    })
  }

  app.addHook('onReady', (done) => {
    void look()
    done()
  })
  const timer = setInterval(() => void look(), POLL_MS)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    closing.abort(new WorkEnded())
    await Promise.all(running)
  })
  return { wake: () => void look() }
}

function describeFailure(error: unknown): { code: string; detail: string; isDefect: boolean } {
  if (error instanceof ImportFailure) return { code: error.code, detail: error.message, isDefect: false }
  const quota = getReachedQuota(error)
  const problem = quota === null ? error : quotaReachedProblem(quota)
  if (problem instanceof Problem) return { code: problem.code, detail: problem.message, isDefect: false }
  if (error instanceof FileStoreError) {
    return {
      code: 'files_unavailable',
      detail: 'The file could not be read from the file store. Resume the import later.',
      isDefect: true,
    }
  }
  return {
    code: 'internal_error',
    detail:
      'The import failed unexpectedly; the log of the server has the reason. Resume it, or delete it and try again.',
    isDefect: true,
  }
}
