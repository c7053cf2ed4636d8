import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.ts'
import { useUploadScenario } from './upload-scenario.ts'

const scenario = useUploadScenario()

const listAttachments = async () =>
  (
    await scenario.server.request<{ data: object[] }>('GET', `/v1/runs/${scenario.runId}/attachments`, {
      token: scenario.project.admin.token,
    })
  ).body.data

it('caseward attach sends large files in parts, and goes on where the command or the connection has ended', async () => {
  const content = Buffer.alloc(33 * 1_048_576, `${process.pid} ${Date.now()}`)
  await scenario.write('video.mp4', content)
  const proxy = await startPartProxy(scenario.server.url)
  onTestFinished(proxy.close)
  const env = { SERVICE_URL: proxy.url, SERVICE_TOKEN: scenario.token, SERVICE_RUN_ID: scenario.runId }
  const attach = () => runInProcess(['attach', '--retries', '1', 'video.mp4'], { cwd: scenario.cwd, env })
  // Cut in the middle of the second and of the fourth part; the latter for as long as the command runs.
  proxy.cuts = [1, 4, 5, 6, 7]
  const failed = await attach()
  expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
  expect(failed.stderr).toContain('video.mp4 is not attached: ')
  expect(await listAttachments()).toEqual([])
  proxy.cuts = []
  expect(await attach()).toMatchObject({ exitCode: 0, stdout: 'video.mp4 is attached.\n' })
  const part = 8 * 1_048_576
  expect(proxy.received).toEqual([0, part, 2 * part, 3 * part, 4 * part].map((start) => `bytes ${start}-`))
  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(await listAttachments()).toMatchObject([{ name: 'video.mp4', byte_count: content.length, sha256 }])
  expect(await readdir(join(scenario.cwd, '.caseward/uploads'))).toEqual([])
  // What the server has is asked for by its last byte.
  expect(await attach()).toMatchObject({ exitCode: 0 })
})

/** Passes requests on, and ends the connections of some parts in the middle of their bodies. */
async function startPartProxy(target: string) {
  let parts = 0
  const proxy = { url: '', cuts: [] as number[], received: [] as string[], close: async () => {} }
  const server = createServer((incoming, response) => {
    const isPart = incoming.method === 'PUT'
    const isCut = isPart && proxy.cuts.includes(parts)
    if (isPart) parts += 1
    const outgoing = request(new URL(incoming.url ?? '', target), {
      method: incoming.method,
      headers: incoming.headers,
    })
    outgoing.on('error', () => response.destroy())
    outgoing.on('response', (reply) => {
      if (isPart && (reply.statusCode === 202 || reply.statusCode === 201)) {
        proxy.received.push(String(incoming.headers['content-range']).replace(/-.*/, '-'))
      }
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    if (!isCut) {
      incoming.pipe(outgoing)
      return
    }
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      outgoing.write(chunk)
      bytes += chunk.length
      if (bytes < 1_000_000) return
      outgoing.destroy()
      incoming.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return proxy
}
