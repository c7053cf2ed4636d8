import { createClient } from '@caseward/client'
import { deleteTestCase } from '@caseward/client/endpoints'
import { describe, expect, it, onTestFinished } from 'vitest'

import { request, RequestFailed } from '../request-failed.ts'
import { sleep, startServer, waitUntil } from '../start-server.test.helper.ts'
import { createDelayedDeletions } from './delayed-deletions.ts'
import { canOutlivePage, keepaliveFetch } from './keepalive-fetch.ts'

/** A page that deletes test cases on a server, which fails if `status` is not 200. */
async function createPage(status = 200) {
  const requests: string[] = []
  const { url, close } = await startServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    const body = status === 200 ? { message: 'Deleted.' } : { type: '', title: '', status, detail: 'No.', code: 'no' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  onTestFinished(close)
  const deletions = createDelayedDeletions(30)
  const failures: unknown[] = []
  const clients = [false, true].map((keepalive) =>
    createClient({ url, retries: { limit: 0 }, ...(keepalive ? { fetch: keepaliveFetch } : {}) }),
  )
  const schedule = (id: string) =>
    deletions.schedule({
      ids: [id],
      send: async (keepalive) => {
        const client = clients[keepalive ? 1 : 0] ?? clients[0]
        if (client !== undefined)
          await request(client, deleteTestCase, { params: { project_id: 'p', test_case_id: id } })
      },
      onFailed: (error) => failures.push(error),
    })
  return { deletions, failures, requests, schedule }
}

describe('delayed deletions', () => {
  it('hide at once, and are sent later', async () => {
    const { deletions, requests, schedule } = await createPage()
    schedule('WEB-1')
    schedule('WEB-2')
    expect([...deletions.getHiddenIds()]).toEqual(['WEB-1', 'WEB-2'])
    expect(requests).toEqual([])
    await waitUntil(() => requests.length === 2)
    await waitUntil(() => deletions.getHiddenIds().size === 0)
    expect(requests).toEqual(['DELETE /v1/projects/p/test-cases/WEB-1', 'DELETE /v1/projects/p/test-cases/WEB-2'])
  })

  it('are not sent when they are undone in time', async () => {
    const { deletions, requests, schedule } = await createPage()
    expect(schedule('WEB-1')()).toBe(true)
    expect(deletions.getHiddenIds().size).toBe(0)
    await sleep(50)
    expect(requests).toEqual([])
  })

  it('cannot be undone after they were sent', async () => {
    const { requests, schedule } = await createPage()
    const undo = schedule('WEB-1')
    await waitUntil(() => requests.length === 1)
    expect(undo()).toBe(false)
  })

  it('are sent at once, and once, when the page is closed', async () => {
    const { deletions, requests, schedule } = await createPage()
    schedule('WEB-1')
    deletions.flush()
    deletions.flush()
    await waitUntil(() => requests.length === 1)
    await sleep(50)
    expect(requests).toHaveLength(1)
  })

  it('appear again when the server refuses them', async () => {
    const { deletions, failures, schedule } = await createPage(403)
    schedule('WEB-1')
    await waitUntil(() => failures.length === 1)
    await waitUntil(() => deletions.getHiddenIds().size === 0)
    expect(failures[0]).toBeInstanceOf(RequestFailed)
  })
})

describe('canOutlivePage', () => {
  it('is false above what browsers send while a page is closed', () => {
    const ids = (count: number) => ({ test_case_ids: Array.from({ length: count }, (_, number) => `WEB-${number}`) })
    expect(canOutlivePage(ids(4000))).toBe(true)
    expect(canOutlivePage(ids(6000))).toBe(false)
  })
})
