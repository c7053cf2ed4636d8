import { createHash, randomBytes } from 'node:crypto'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import { declare, digest } from '@caseward/test-support/declared-files'
import { ADMIN_TOKEN } from '@caseward/test-support/caseward-process'
import type { Service } from '@caseward/test-support/service'

type Complete = Attachment & { url: string; file_id: string }

/** Contents that several clients attach and delete at the same time. */
const SHARED = Array.from({ length: 4 }, (_, index) => Buffer.from(`shared ${index}`))

interface SendOptions {
  range?: string
  token?: string
}

/** What uses files of a service, and remembers what must be there. */
export function createFileUser(service: Service) {
  /** Address and digest of each content that is attached. */
  const kept = new Map<string, string>()
  const projects: string[] = []

  async function send<T>(
    method: string,
    path: string,
    body?: Buffer | object,
    { range, token = ADMIN_TOKEN }: SendOptions = {},
  ): Promise<T> {
    const isFile = Buffer.isBuffer(body)
    const response = await fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        ...(range === undefined ? {} : { 'content-range': range }),
      },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok && response.status !== 207) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as T
  }
  const create = async (path: string, body: object) =>
    (await send<{ data: { id: string } }>('POST', path, body)).data.id

  async function makeRun(): Promise<{ projectId: string; runId: string; run: string; ci: string }> {
    const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
    projects.push(projectId)
    const runId = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
    const { data } = await send<{ data: { token: string } }>('POST', `/v1/projects/${projectId}/tokens`, { name: 'CI' })
    return { projectId, runId, run: `/v1/runs/${runId}`, ci: data.token }
  }

  const attach = async (place: string, content: Buffer) =>
    (await send<{ data: Complete }>('POST', `${place}/attachments?name=a.bin`, content)).data

  async function attachInParts(place: string, projectId: string): Promise<void> {
    const content = randomBytes(4000)
    const path = `/v1/projects/${projectId}/file-uploads`
    const upload = `${path}/${await create(path, { byte_count: content.length, name: 'b.bin' })}`
    await send('PUT', upload, content.subarray(0, 2000), { range: 'bytes 0-1999/4000' })
    if (content[0] === 0) return // never completed
    const last = await send<{ data: { file_id: string } }>('PUT', upload, content.subarray(2000), {
      range: 'bytes 2000-3999/4000',
    })
    const body = { file_id: last.data.file_id, name: 'b.bin' }
    const { data } = await send<{ data: Complete }>('POST', `${place}/attachments`, body)
    kept.set(data.url, digest(content))
  }

  async function declareAndSend({ runId, run, ci }: { runId: string; run: string; ci: string }): Promise<void> {
    const content = randomBytes(3000)
    const test = {
      file: 'pay.test.ts',
      name: 'pays',
      attempts: [{ status: 'failed', attachments: [declare('c', content)] }],
    }
    // Replaces what the same test declared before.
    await send('POST', '/v1/results', { run_id: runId, format: 'tests', tests: [test] }, { token: ci })
    await send('PUT', `${run}/files/${digest(content)}`, content)
  }

  return {
    kept,
    projects,
    send,
    /** Attaches contents in every way, and deletes most of what was attached, for some rounds. */
    async work(rounds: number): Promise<void> {
      const made = await makeRun()
      const { projectId, run } = made
      for (let round = 0; round < rounds; round += 1) {
        const shared = await attach(run, SHARED[round % SHARED.length] ?? Buffer.of())
        const own = randomBytes(1 + ((round * 997) % 20_000))
        const { url, id } = await attach(run, own)
        kept.set(url, digest(own))
        await send('DELETE', `/v1/projects/${projectId}/attachments/${shared.id}`)
        if (round % 3 !== 0) {
          kept.delete(url)
          await send('DELETE', `/v1/projects/${projectId}/attachments/${id}`)
        }
        await attachInParts(run, projectId)
        await declareAndSend(made)
        if (round % 4 === 0) {
          const other = `/v1/runs/${await create(`/v1/projects/${projectId}/runs`, { name: 'Deleted' })}`
          await attach(other, randomBytes(100))
          await send('DELETE', other)
        }
      }
    },
    /** Reads all that must be there, and returns the addresses of what is not. */
    async findLost(): Promise<string[]> {
      const lost: string[] = []
      for (const [url, sha256] of kept) {
        const response = await fetch(service.url + url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
        const hash = createHash('sha256').update(Buffer.from(await response.arrayBuffer()))
        if (hash.digest('hex') !== sha256) lost.push(`${url}: ${response.status}`)
      }
      return lost
    },
  }
}
