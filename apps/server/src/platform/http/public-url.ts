import type { AddressInfo } from 'node:net'

import type { App } from './app.ts'

/** Returns the public address of the service: `PUBLIC_URL`, or this machine with the port that it listens on. */
export function getPublicUrl(app: App, { publicUrl, port }: { publicUrl: string | null; port: number }): string {
  if (publicUrl !== null) return publicUrl
  // With PORT=0 the operating system chooses the port.
  const address = app.server.address() as AddressInfo | null
  return `http://localhost:${address?.port ?? port}`
}
