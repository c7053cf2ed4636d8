import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { type Service, startService } from '@caseward/test-support/service'
import { expect } from 'vitest'

/** Starts the service with settings that fail; returns the exit code and the one line of output. */
export async function startAndFail(
  settings: Record<string, string>,
  start: (settings: Record<string, string>) => Promise<Pick<Service, 'ended' | 'stderr'>> = startService,
): Promise<[number | null, string]> {
  const caseward = await start(settings)
  const code = await caseward.ended
  expect(caseward.stderr().trimEnd().split('\n')).toHaveLength(1)
  return [code, caseward.stderr().trimEnd()]
}

/** Listens on a free port until `free` is called. */
export async function occupyPort(): Promise<{ port: string; free(): void }> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return { port: String((listener.address() as AddressInfo).port), free: () => void listener.close() }
}
