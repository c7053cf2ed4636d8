import { toRecord } from '../../../records.ts'

/** A comment on a pull request or merge request. */
export interface ForgeComment {
  readonly id: number
  readonly body: string
  /** Whether the token's own user wrote it. */
  readonly isOwn: boolean
}

/** Where the comments of one pull request are. */
export interface Forge {
  /** Lists the first 1,000 comments, the oldest first. */
  readonly list: () => Promise<readonly ForgeComment[]>
  /** Returns the id of the new comment. */
  readonly create: (body: string) => Promise<number>
  readonly update: (id: number, body: string) => Promise<void>
  readonly remove: (id: number) => Promise<void>
}

/** A request that the API of the CI system has refused, or that did not reach it. The message names no token. */
export class ForgeError extends Error {
  /** Null if there was no answer. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.name = 'ForgeError'
    this.status = status
  }
}

const ANSWER_MS = 10_000
const PER_PAGE = 100
const MAX_PAGES = 10

/** Sends a request to the API of a CI system, and returns the answer. @throws {ForgeError} */
export type ForgeRequest = (method: string, path: string, body?: object) => Promise<unknown>

/**
 * Makes requests to one API with one token, which no redirect takes elsewhere.
 * @param headers with the token
 */
export const createForgeRequest =
  (api: string, headers: Readonly<Record<string, string>>): ForgeRequest =>
  async (method, path, body) => {
    const where = `${method} ${path.split('?', 1)[0]}`
    const sent: RequestInit = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    }
    const response = await fetch(`${api.replace(/\/+$/, '')}${path}`, sent).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new ForgeError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, null)
    })
    if (!response.ok) throw new ForgeError(`${where} was answered with ${response.status}`, response.status)
    const text = await response.text()
    try {
      return text === '' ? null : JSON.parse(text)
    } catch {
      throw new ForgeError(`${where} was answered with something else than JSON`, response.status)
    }
  }

/** Reads all pages of a list, up to 1,000 items. */
export async function readPages(
  request: ForgeRequest,
  path: string,
  toComment: (item: Readonly<Record<string, unknown>>) => ForgeComment | null,
): Promise<ForgeComment[]> {
  const comments: ForgeComment[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const join = path.includes('?') ? '&' : '?'
    const items = await request('GET', `${path}${join}per_page=${PER_PAGE}&page=${page}`)
    if (!Array.isArray(items)) throw new ForgeError(`GET ${path} was answered with something else than a list`, null)
    comments.push(...items.flatMap((item: unknown) => toComment(toRecord(item)) ?? []))
    if (items.length < PER_PAGE) break
  }
  return comments
}

/** Reads the id of what was created. */
export function readId(answer: unknown): number {
  const { id } = toRecord(answer)
  if (typeof id !== 'number') throw new ForgeError('The new comment has no id', null)
  return id
}
