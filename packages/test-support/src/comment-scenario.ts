import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { Comment } from '@caseward/contract/comment-schemas'
import { makeRun, makeTestCases } from './factories.ts'
import { makeTeam } from './team.ts'
import type { TestServer } from './test-server.ts'

/** A project with a run of two test cases, and its places for comments. */
export async function makeCommentScenario(server: TestServer) {
  const team = await makeTeam(server)
  const { project, member } = team
  const caseIds = await makeTestCases(server, project, 2)
  const run = await makeRun(server, project, { name: 'Nightly' })
  const places = {
    testCase: `/v1/projects/${project.id}/test-cases/${caseIds[0]}`,
    run: `/v1/runs/${run.id}`,
    result: `/v1/runs/${run.id}/results/${caseIds[0]}`,
  }
  const getPath = ({ id }: { id: string }) => `/v1/projects/${project.id}/comments/${id}`
  const post = (place: string, body: string, { token = member.token, attachments = [] as string[] } = {}) =>
    server.request<{ data: Comment }>('POST', `${place}/comments`, {
      token,
      body: { body, attachment_ids: attachments },
    })
  return {
    ...team,
    caseIds,
    run,
    places,
    getPath,
    post,
    async comment(place: string, body: string, options: Parameters<typeof post>[2] = {}): Promise<Comment> {
      const { status, body: sent } = await post(place, body, options)
      if (status !== 201) throw new Error(JSON.stringify(sent))
      return sent.data
    },
    edit: (comment: Comment, body: string, token = member.token) =>
      server.request<{ data: Comment; code?: string }>('PATCH', getPath(comment), { token, body: { body } }),
    remove: (comment: Comment, token = member.token) => server.request('DELETE', getPath(comment), { token }),
    async list(place: string, query = ''): Promise<Comment[]> {
      const path = `${place}/comments${query}`
      return (await server.request<{ data: Comment[] }>('GET', path, { token: member.token })).body.data
    },
    async attach(place: string, token = member.token): Promise<Attachment> {
      const { body } = await server.request<{ data: Attachment }>('POST', `${place}/attachments?name=shot.png`, {
        token,
        body: Buffer.from(`picture ${Math.random()}`),
      })
      return body.data
    },
  }
}
