import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { startFakeServer } from './fake-server.ts'

interface StoredComment {
  readonly id: number
  body: string
  readonly author: string
}

/** What the API refuses. */
export interface Refusal {
  readonly method: string
  readonly status: number
}

/**
 * Starts an API of comments on one pull request, in the shapes that GitHub and GitLab document, until the test has finished.
 * GitHub: https://docs.github.com/en/rest/issues/comments. GitLab: https://docs.gitlab.com/api/notes/
 */
export async function startFakeForge(kind: 'github' | 'gitlab', refusals: readonly Refusal[] = []) {
  const comments: StoredComment[] = []
  const tokens = new Set<string | undefined>()
  let lastId = 0
  const own = kind === 'github' ? 'github-actions[bot]' : 'project_7_bot'
  const add = (body: string, author = own) => comments.push({ id: (lastId += 1), body, author })
  const present = ({ id, body, author }: StoredComment) =>
    kind === 'github'
      ? { id, body, user: { login: author, type: author.endsWith('[bot]') ? 'Bot' : 'User' } }
      : { id, body, author: { id: author === own ? 7 : 8, username: author }, system: false }
  const lists = kind === 'github' ? '/repos/acme/shop/issues/17/comments' : '/projects/42/merge_requests/17/notes'
  const items = kind === 'github' ? '/repos/acme/shop/issues/comments/' : `${lists}/`

  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body?: unknown]> => {
    const { method = '', headers } = request
    const url = new URL(request.url ?? '', 'http://localhost')
    tokens.add(headers.authorization ?? (headers['private-token'] as string | undefined))
    const body = (JSON.parse((await text(request)) || '{}') as { body?: string }).body ?? ''
    if (url.pathname === '/user') return kind === 'github' ? [403, { message: 'Forbidden' }] : [200, { id: 7 }]
    const refusal = refusals.find((one) => one.method === method)
    if (refusal !== undefined) return [refusal.status, { message: 'Resource not accessible by integration' }]
    if (url.pathname === lists && method === 'GET') {
      const [perPage, page] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name)))
      const from = (perPage ?? 0) * ((page ?? 1) - 1)
      return [200, comments.slice(from, from + (perPage ?? 0)).map(present)]
    }
    if (url.pathname === lists && method === 'POST') {
      // GitHub refuses longer comments.
      if (body.length > 65_536) return [422, { message: 'Validation Failed' }]
      add(body)
      return [201, comments.at(-1) && present(comments.at(-1) as StoredComment)]
    }
    const index = comments.findIndex(({ id }) => url.pathname === `${items}${id}`)
    const comment = comments[index]
    if (comment === undefined) return [404, { message: 'Not Found' }]
    if (method === 'DELETE') comments.splice(index, 1)
    else if (method === (kind === 'github' ? 'PATCH' : 'PUT')) comment.body = body
    else return [405]
    return method === 'DELETE' ? [204] : [200, present(comment)]
  }
  const { url } = await startFakeServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body === undefined ? '' : JSON.stringify(body)),
    )
  })
  const env: Record<string, string> =
    kind === 'github'
      ? {
          GITHUB_ACTIONS: 'true',
          GITHUB_RUN_ID: '1',
          GITHUB_API_URL: url,
          GITHUB_REPOSITORY: 'acme/shop',
          GITHUB_TOKEN: 'secret-of-the-job',
          GITHUB_REF: 'refs/pull/17/merge',
        }
      : {
          GITLAB_CI: 'true',
          CI_PIPELINE_ID: '1',
          CI_API_V4_URL: url,
          CI_PROJECT_ID: '42',
          CI_MERGE_REQUEST_IID: '17',
          GITLAB_TOKEN: 'secret-of-the-job',
        }
  return { comments, add, tokens, env, url }
}
