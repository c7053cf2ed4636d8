import { createClient, type ProblemReply, type Unreachable, type Unreadable } from '@caseward/client'
import { getMe } from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

/** Calls the service that served the page, with the session's cookie. */
export const api = createClient({ url: '', retries: { limit: 1 }, timeoutMs: 15_000 })

/** What a query throws: the reply of the service, or the reason why there is none. */
export class ReplyError extends Error {
  readonly reply: FailedReply
  constructor(reply: FailedReply) {
    super(reply.kind)
    this.reply = reply
  }
}

type FailedReply = ProblemReply | Unreachable | Unreadable

/** Returns the data of a reply, and throws any other reply as a {@link ReplyError}. */
export function unwrap<Data>(reply: { kind: 'success'; data: { data: Data } } | FailedReply): Data {
  if (reply.kind !== 'success') throw new ReplyError(reply)
  return reply.data.data
}

/** What the pages read, by noun. The keys begin with the noun. */
export const queries = {
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: async ({ signal }) => unwrap(await api.call(getMe, { signal })),
      staleTime: 60_000,
    }),
} as const
