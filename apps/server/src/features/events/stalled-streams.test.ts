import { connect } from 'node:net'

import { openEventStream } from '@caseward/test-support/event-stream'
import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startServerForTest } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it, onTestFinished } from 'vitest'

describe('a client that does not read its event stream', () => {
  it('is disconnected, while others receive all events', async () => {
    const server = await startServerForTest()
    const project = await makeProject(server)
    const { token } = project.admin
    const ids = await makeTestCases(server, project, 200)
    const run = await makeRun(server, project)
    const path = `/v1/runs/${run.id}/events`
    const reader = await openEventStream(server.url, path, { token })
    await reader.next('sync')
    let isClosed = false
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    const logLines = () => server.logged.filter((line) => line.includes('/events')).length
    // Each event has about 100 KB, and the buffers of the system hold several megabytes.
    const note = 'x'.repeat(200)
    for (let round = 0; round < 400 && logLines() === 0; round += 1) {
      const status = round % 2 === 0 ? 'passed' : 'failed'
      const results = ids.map((id) => ({ test_case_id: id, status, note }))
      await server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, body: { results } })
      await reader.next('results')
    }
    expect(logLines()).toBe(1)
    expect(reader.hasEnded()).toBe(false)
    socket.on('close', () => (isClosed = true)).resume()
    await waitUntil(() => isClosed, 'the connection is closed')
  })
})
