import { setTimeout as sleep } from 'node:timers/promises'

const TIMEOUT_MS = 15_000

/** Polls until the condition holds, and fails after 15 seconds. `description` completes "Timed out waiting until …". */
export async function waitUntil(condition: () => Promise<boolean> | boolean, description: string): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(5)) if (await condition()) return
  throw new Error(`Timed out waiting until ${description}`)
}
