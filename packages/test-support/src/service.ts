import { join } from 'node:path'

import { readConfig } from '@caseward/server/config'
import { createLogger } from '@caseward/server/platform/logging/log'
import { runService } from '@caseward/server/run-service'
import { createShutdown } from '@caseward/server/shutdown'
import { formatStartFailure } from '@caseward/server/start-errors'
import { onTestFinished } from 'vitest'

import { ADMIN_TOKEN, type CasewardProcess, FIRST_USER_SETTINGS, readUrl, sendJson } from './caseward-process.ts'
import { measureStep } from './measured-steps.ts'
import { createUnmanagedDirectory } from './unmanaged-directory.ts'

/** The service as users run it, except that it has no process of its own. */
export type Service = Omit<CasewardProcess, 'pid' | 'closePipes' | 'pauseStdout' | 'resumeStdout'>

interface ServiceOptions {
  /** Receives the function that stops the service; by default it is called when the current test ends. */
  onCleanup?: (stop: () => Promise<void>) => void
  hasDemo?: boolean
}

/**
 * Starts the service with these environment variables in this process, which costs a tenth of a process, and waits until it
 * listens or has ended. What only a process has, such as being killed, standard output and real signals, needs
 * `startCaseward`.
 */
export async function startService(settings: Record<string, string>, options: ServiceOptions = {}): Promise<Service> {
  const service = beginService(settings, options)
  await measureStep('service', () => Promise.race([service.ready, service.ended]))
  return service
}

/** Begins to start the service, and does not wait. */
function beginService(
  settings: Record<string, string>,
  { onCleanup = onTestFinished, hasDemo = false }: ServiceOptions = {},
): Service {
  const lines: string[] = []
  let stderr = ''
  let shutDown: ((reason: string) => void) | undefined
  let setReady = () => {}
  const ready = new Promise<void>((resolve) => {
    setReady = resolve
  })
  const print = (text: string) => {
    stderr += text
    setReady()
  }
  const run = async () => {
    const config = readConfig({ ...FIRST_USER_SETTINGS, ...settings })
    const log = createLogger(config.logLevel, { write: (line) => void lines.push(line.trimEnd()) })
    const { shutDown: send, ...signals } = createShutdown(config.shutdownDelayMs)
    shutDown = send
    await runService(config, { log, signals, hasDemo, print })
  }
  const ended = run().then(
    () => 0,
    (error: unknown) => {
      stderr += formatStartFailure(error)
      return 1
    },
  )
  const signal = (name: NodeJS.Signals) => {
    if (name === 'SIGKILL') throw new Error('Only a process can be killed: use startCaseward')
    shutDown?.(name)
  }
  onCleanup(async () => {
    // The second one ends the delay.
    signal('SIGINT')
    signal('SIGINT')
    await ended
  })
  return {
    get url() {
      return readUrl(stderr)
    },
    log: () => lines,
    stderr: () => stderr,
    request: (method, path, body, token = ADMIN_TOKEN) => sendJson(readUrl(stderr) + path, method, token, body),
    signal,
    ready,
    ended,
  }
}

/**
 * Creates a directory with the `DATA_DIR` of a stopped service in `data`, which is faster to copy than to create. The caller
 * removes it.
 */
export async function createStoppedService(): Promise<string> {
  const directory = await createUnmanagedDirectory()
  const service = await startService({ DATA_DIR: join(directory, 'data') }, { onCleanup: () => {} })
  service.signal('SIGINT')
  await service.ended
  return directory
}
