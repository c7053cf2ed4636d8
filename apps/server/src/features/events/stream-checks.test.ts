import { openEventStream } from '@caseward/test-support/event-stream'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

// Before the server starts, whose intervals are then those of this clock.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
const server = useTestServer()
afterAll(() => void vi.useRealTimers())

it('an event stream contains a comment every 25 seconds, and ends within a minute when its token has expired', async () => {
  const project = await makeProject(server)
  const { id, token } = await makeMember(server, project.id, 'viewer')
  const path = `/v1/projects/${project.id}/events`
  const stream = await openEventStream(server.url, path, { token })
  const other = await openEventStream(server.url, path, { token: project.admin.token })
  await server.db.updateTable('api_tokens').set({ expires_at: new Date() }).where('user_id', '=', id).execute()
  await vi.advanceTimersByTimeAsync(24_900)
  expect(other.getText()).not.toContain(': beat')
  await vi.advanceTimersByTimeAsync(100)
  await expect.poll(other.getText).toContain(': beat')
  await vi.advanceTimersByTimeAsync(35_000)
  await stream.ended
  // The third one would follow after 75 seconds.
  expect(stream.getText().match(/^: beat$/gm)).toHaveLength(2)
  expect(other.hasEnded()).toBe(false)
})
