import { open } from 'node:fs/promises'

import { type FileContent, type FileToSend, readMissingFiles, sendFiles } from '@caseward/ci-run/send-files'
import type { Client } from '@caseward/client'

import { createServerClient, type ServerConnection } from './deliver.ts'
import { toDeliveryFailure } from './delivery-failure.ts'
import { deleteUnnamedFiles, getFilePath } from './file-spool.ts'
import type { Journal } from './journal.ts'
import { now } from './restore-globals.ts'
import type { SpooledFile } from './spooled-file.ts'
import type { Timeouts } from './timeouts.ts'

/** The result of sending the files of a suite whose results are stored. */
export interface FilesDelivery {
  readonly sentCount: number
  /** Files that the next run or a replay sends. */
  readonly remainingCount: number
  /** Number of suites with such files. */
  readonly suiteCount: number
  readonly givenUp: readonly { readonly name: string; readonly reason: string }[]
  /** What kept files from being sent; null if it was only the time. */
  readonly failure: string | null
}

export const noFiles: FilesDelivery = { sentCount: 0, remainingCount: 0, suiteCount: 0, givenUp: [], failure: null }

interface DeliverFilesOptions {
  readonly spool: string
  readonly server: ServerConnection
  readonly timeouts: Timeouts
  readonly timeLimitMs: number
  /** Whether the server is asked which files it still waits for, because some may have arrived. */
  readonly asksFirst: boolean
}

/**
 * Sends the files that a journal names, and removes the journal, or leaves it with the files that remain. Never throws
 * because of the network or the server.
 */
export async function deliverFiles(
  journal: Journal,
  { spool, server, timeouts, timeLimitMs, asksFirst }: DeliverFilesOptions,
): Promise<FilesDelivery> {
  const { header, remainingFiles } = journal.read()
  const { runId, files } = remainingFiles ?? { runId: '', files: [] }
  if (timeLimitMs <= 0) {
    journal.release()
    return { ...noFiles, remainingCount: files.length, suiteCount: 1 }
  }
  const { retries } = timeouts
  // The time limit ends the retries of files, which no other suite waits for.
  const policy = { ...timeouts, retries: { ...retries, limit: 2 * (retries.limit ?? 0) } }
  const client = createServerClient(server, header, policy)
  const signal = createTimeoutSignal(timeLimitMs)
  try {
    const missing = asksFirst ? await findMissing(client, runId, files, signal) : files
    if (typeof missing === 'string') {
      journal.release()
      return { ...noFiles, remainingCount: files.length, suiteCount: 1, failure: missing }
    }
    const { sent, givenUp, unsent, failure } = await sendFiles(
      client,
      runId,
      missing.map((file) => toFileToSend(spool, file)),
      signal,
    )
    const waiting = new Set(unsent.map(({ sha256 }) => sha256))
    const remaining = missing.filter(({ sha256 }) => waiting.has(sha256))
    if (remaining.length === 0) {
      journal.remove()
    } else {
      journal.write({ remainingFiles: { runId, files: remaining } })
      journal.release()
    }
    deleteUnnamedFiles(
      spool,
      files.filter(({ sha256 }) => !waiting.has(sha256)),
      now(),
    )
    return {
      sentCount: sent.length,
      remainingCount: remaining.length,
      suiteCount: remaining.length === 0 ? 0 : 1,
      givenUp: givenUp.map(({ file, reason }) => ({ name: file.name, reason })),
      failure: failure === null ? null : toDeliveryFailure(failure).reason,
    }
  } catch (error) {
    journal.release()
    if (signal.aborted) return { ...noFiles, remainingCount: files.length, suiteCount: 1 }
    const reason = error instanceof Error ? error.message : String(error)
    return { ...noFiles, remainingCount: files.length, suiteCount: 1, failure: reason }
  }
}

/** An unlimited replay has no timeout. */
const createTimeoutSignal = (timeLimitMs: number): AbortSignal =>
  Number.isFinite(timeLimitMs) ? AbortSignal.timeout(Math.ceil(timeLimitMs)) : new AbortController().signal

const NOT_FOUND = 404

/** Returns the files that the run still waits for, or why they are not known. */
async function findMissing(
  client: Client,
  runId: string,
  files: readonly SpooledFile[],
  signal: AbortSignal,
): Promise<SpooledFile[] | string> {
  const reply = await readMissingFiles(client, runId, signal)
  if (!Array.isArray(reply)) {
    // The run was deleted: nothing waits for its files.
    if (reply.kind === 'problem' && reply.status === NOT_FOUND) return []
    return toDeliveryFailure(reply).reason
  }
  const missing = new Set(reply.map(({ sha256 }: FileContent) => sha256))
  return files.filter(({ sha256 }) => missing.has(sha256))
}

function toFileToSend(spool: string, file: SpooledFile): FileToSend {
  return {
    ...file,
    async read(start, end) {
      const handle = await open(getFilePath(spool, file), 'r')
      try {
        const bytes = new Uint8Array(end - start)
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
        return bytes.subarray(0, bytesRead)
      } finally {
        await handle.close()
      }
    },
  }
}
