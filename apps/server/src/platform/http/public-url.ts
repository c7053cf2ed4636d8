import type { AddressInfo } from 'node:net'

import type { App } from './app.ts'

/** Where people reach the service: `PUBLIC_URL`, or this machine at the port that it listens on. */
export function getPublicUrl(app: App, { publicUrl, port }: { publicUrl: string | null; port: number }): string {
  if (publicUrl !== null) return publicUrl
  // With PORT=0 only the socket knows.
  const address = app.server.address() as AddressInfo | null
  return `http://localhost:${address?.port ?? port}`
}
