import { Worker } from 'node:worker_threads'

import { MAX_OPTIONS } from '@caseward/contract/field-values'
import type { Loss } from '@caseward/importers/losses'
import type { FoundInFile } from '@caseward/importers/read-statistics'
import type { StagedBatch } from '@caseward/importers/staged-batch'

/** What is known at the end of a file. */
export interface ReadEnd {
  found: FoundInFile
  system: string
  format: string
  encoding: string | null
  losses: Loss[]
  questions: { id: string; sentence: string; options: string[]; default: string }[]
}

/** Why an import failed, for people. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

type Message = { batch: StagedBatch } | { end: ReadEnd } | { problem: { code: string; detail: string } }

/** 200 MB take half a minute of a processor. */
const MAX_SECONDS = 240
const MAX_MEMORY_MB = 768
const workerUrl = new URL('../../../assets/read-import-worker.js', import.meta.url)

/**
 * Reads a file in a thread with limited memory and time.
 * @param store called with one batch after another; the thread reads the next one meanwhile
 * @throws {ImportFailure} for a file that cannot be read
 */
export async function readInWorker(
  file: { path: string; name: string; choices: { encoding?: string; project?: string } },
  store: (batch: StagedBatch) => Promise<void>,
  signal: AbortSignal,
): Promise<ReadEnd> {
  const worker = new Worker(workerUrl, {
    workerData: { ...file, maxOptions: MAX_OPTIONS },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    // It runs the built packages, whatever the server itself was started with.
    execArgv: [],
  })
  const storeBatch = async (batch: StagedBatch) => {
    await store(batch)
    // Not the window of a browser: it has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage('stored')
  }
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  try {
    return await new Promise<ReadEnd>((resolve, reject) => {
      onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      signal.addEventListener('abort', onAbort, { once: true })
      timer = setTimeout(() => reject(tooLong()), MAX_SECONDS * 1000)
      worker.on('message', (message: Message) => {
        if ('end' in message) resolve(message.end)
        else if ('problem' in message) reject(new ImportFailure(message.problem.code, message.problem.detail))
        else void storeBatch(message.batch).catch(reject)
      })
      worker.once('error', (error: Error & { code?: string }) => {
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : error)
      })
      worker.once('exit', (code) => reject(new Error(`The worker that reads a file ended with ${code}`)))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

const tooLong = () =>
  new ImportFailure(
    'file_too_large',
    `Reading the file took longer than ${MAX_SECONDS / 60} minutes. Export fewer test cases at a time.`,
  )

const tooMuchMemory = () =>
  new ImportFailure(
    'file_too_large',
    `Reading the file would take more than ${MAX_MEMORY_MB} MB of memory. Export fewer test cases at a time.`,
  )
