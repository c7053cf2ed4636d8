import { toRecord } from '../../../records.ts'
import { createForgeRequest, type Forge, ForgeError, type ForgeRequest, readId, readPages } from './forge.ts'

interface GithubPlace {
  /** Address of the API. */
  readonly api: string
  readonly token: string
  /** `octo-org/shop`. */
  readonly repository: string
  readonly pullRequest: string
}

/** Comments of a pull request on GitHub: https://docs.github.com/en/rest/issues/comments */
export function createGithub({ api, token, repository, pullRequest }: GithubPlace): Forge {
  const request = createForgeRequest(api, {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'caseward',
    'x-github-api-version': '2022-11-28',
  })
  const issues = `/repos/${repository.split('/').map(encodeURIComponent).join('/')}/issues`
  return {
    list: async () => {
      const login = await findLogin(request)
      return await readPages(request, `${issues}/${pullRequest}/comments`, ({ id, body, user }) => {
        const author = toRecord(user)
        const isOwn = login === null ? author['type'] === 'Bot' : author['login'] === login
        return typeof id === 'number' && typeof body === 'string' ? { id, body, isOwn } : null
      })
    },
    create: async (body) => readId(await request('POST', `${issues}/${pullRequest}/comments`, { body })),
    update: async (id, body) => void (await request('PATCH', `${issues}/comments/${id}`, { body })),
    remove: async (id) => void (await request('DELETE', `${issues}/comments/${id}`)),
  }
}

/** The token of a job belongs to a bot, and may not ask who it is. */
async function findLogin(request: ForgeRequest): Promise<string | null> {
  try {
    const { login } = toRecord(await request('GET', '/user'))
    return typeof login === 'string' ? login : null
  } catch (error) {
    if (error instanceof ForgeError && error.status === 403) return null
    throw error
  }
}
