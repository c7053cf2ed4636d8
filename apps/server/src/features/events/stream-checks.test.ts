import { openEventStream } from '@caseward/test-support/event-stream'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { expect, it } from 'vitest'

const server = useTestServer()

it('an event stream contains a comment every 25 seconds, and ends within a minute when its token has expired', async () => {
  const project = await makeProject(server)
  const { id, token } = await makeMember(server, project.id, 'viewer')
  const path = `/v1/projects/${project.id}/events`
  const stream = await openEventStream(server.url, path, { token })
  const other = await openEventStream(server.url, path, { token: project.admin.token })
  await server.db.updateTable('api_tokens').set({ expires_at: new Date() }).where('user_id', '=', id).execute()
  await stream.ended
  // The third one would follow after 75 seconds.
  expect(stream.getText().match(/^: beat$/gm)).toHaveLength(2)
  expect(other.hasEnded()).toBe(false)
})
