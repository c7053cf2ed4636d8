import { createClient } from '@caseward/client'

import { createQueries } from './queries.ts'
import { keepaliveFetch } from './undo/keepalive-fetch.ts'

/** The longest time that a page waits for a response. */
const TIMEOUT_MS = 15_000

/** Calls the service that served the page, with the session's cookie. */
export const api = createClient({ url: '', retries: { limit: 1 }, timeoutMs: TIMEOUT_MS })

/** For the outbox, which retries itself. */
export const outboxApi = createClient({ url: '', retries: { limit: 0 }, timeoutMs: TIMEOUT_MS })

/** For what is sent while the page is being closed. */
export const keepaliveApi = createClient({
  url: '',
  retries: { limit: 0 },
  timeoutMs: TIMEOUT_MS,
  fetch: keepaliveFetch,
})

/** Options for `useQuery`: `useQuery(queries.run(runId))`. */
export const queries = createQueries(api)
