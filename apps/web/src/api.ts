import { createClient } from '@caseward/client'

/** Calls the service that served the page, with the session's cookie. */
export const api = createClient({ url: '', retries: { limit: 1 }, timeoutMs: 15_000 })
