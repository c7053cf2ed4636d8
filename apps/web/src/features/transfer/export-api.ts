import { createClient } from '@caseward/client'

import { RequestFailed } from '../../request-failed.ts'

/** An export of many rows may reach the rate limit: it goes on when the server allows it. */
export const exportApi = createClient({ url: '', retries: { limit: 3 }, timeoutMs: 30_000 })

/** Returns null if what a request asks for was deleted. */
export async function findExisting<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof RequestFailed && error.reply.kind === 'problem' && error.reply.status === 404) return null
    throw error
  }
}
