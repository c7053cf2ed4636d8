import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What is prepared once for all test files, in the main process of Vitest. */
interface Prepared<T> {
  /** Where a test file gets it, with `fetchPrepared`. */
  url: string
  /** Ends the server, and returns what was prepared, if anything was. */
  close(): Promise<T | undefined>
}

/**
 * Prepares something when the first test file asks for it, so that others do not wait for what they do not use.
 * @param prepare returns what test files receive as JSON
 * @public called by `globalSetup` files
 */
export async function servePrepared<T extends object>(prepare: () => Promise<T>): Promise<Prepared<T>> {
  let prepared: Promise<T> | undefined
  const server = createServer((_request, response) => {
    prepared ??= prepare()
    prepared.then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      return await prepared
    },
  }
}

/**
 * Returns what is prepared at a URL of {@link servePrepared}.
 * @throws with the reason when it could not be prepared
 */
export async function fetchPrepared<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`Preparing the tests failed: ${await response.text()}`)
  return (await response.json()) as T
}
