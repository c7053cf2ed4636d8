import { createHash, randomBytes } from 'node:crypto'

import { declare, digest } from '@caseward/test-support/declared-files'
import { makeProject, makeRun } from '@caseward/test-support/factories'
import { S3_CREDENTIALS, startS3Server } from '@caseward/test-support/s3-server'
import { startServerForTest } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { makeSignedInUser } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import type { Config } from '../../config.ts'
import { type CompleteAttachment, html } from './sample-files.test.helper.ts'

/** A server whose files are in a bucket. */
async function makeServer(settings: Partial<Config> = {}) {
  const s3 = await startS3Server()
  const server = await startServerForTest({
    s3BucketUrl: s3.bucketUrl,
    s3AccessKeyId: S3_CREDENTIALS.accessKeyId,
    s3SecretAccessKey: S3_CREDENTIALS.secretAccessKey,
    s3Prefix: 'caseward/',
    ...settings,
  })
  const project = await makeProject(server)
  const run = await makeRun(server, project)
  return { s3, server, project, run, token: project.admin.token }
}

describe('S3_REDIRECT', () => {
  it('sends whoever opens a file to the bucket for a minute, with the type and the disposition in the signature', async () => {
    const { s3, server, project, run, token } = await makeServer({ s3Redirect: 1 })
    const path = `/v1/runs/${run.id}/attachments?name=${encodeURIComponent('page é.html')}`
    const { url } = (await server.request<{ data: CompleteAttachment }>('POST', path, { token, body: html })).body.data
    const { status, headers } = await server.request('GET', url, { token })
    expect([status, headers.get('cache-control')]).toEqual([307, 'private, no-store'])
    const address = new URL(headers.get('location') ?? '')
    expect(address.href.startsWith(`${s3.bucketUrl}/caseward/${project.id}/`)).toBe(true)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      'X-Amz-Expires': '60',
      'X-Amz-SignedHeaders': 'host',
      'response-content-type': 'text/plain; charset=utf-8',
      'response-content-disposition': `attachment; filename="page _.html"; filename*=UTF-8''page%20%C3%A9.html`,
    })
    const response = await fetch(address)
    expect([response.status, await response.text()]).toEqual([200, html.toString()])
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /)

    // The app itself reads bytes from its own server; what the client has needs no address.
    const asked = { token, headers: { accept: 'application/octet-stream' } }
    expect((await server.request('GET', url, asked)).body).toBe(html.toString())
    const etag = `"${createHash('sha256').update(html).digest('hex')}"`
    expect((await server.request('GET', url, { token, headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await server.request('GET', url.replace('/content', '/text'), { token })).status).toBe(200)
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get('/')).headers.get('content-security-policy')).toContain(
      `img-src 'self' data: ${new URL(s3.bucketUrl).origin};`,
    )
  })
})

describe('a bucket that fails', () => {
  it('refuses files with 503 while results are stored, and takes what waits when it works again', async () => {
    const { s3, server } = await makeServer()
    const scenario = await makeUploadScenario(server, 1)
    const { run, ci: token } = scenario
    const content = randomBytes(1000)
    const sha256 = digest(content)
    const place = `/v1/runs/${run.id}/attachments?name=a`
    expect((await server.request('POST', place, { token, body: Buffer.from('binds the store') })).status).toBe(201)
    await s3.stop()
    const attachments = [declare('shot.png', content)]
    const upload = await scenario.upload({ results: [{ test_case_id: 'WEB-1', status: 'failed', attachments }] })
    expect(upload.body).toMatchObject({ attachments: { missing: [{ sha256 }] } })
    const path = `/v1/runs/${run.id}/files/${sha256}`
    const body = new Uint8Array(content)
    const problem = await server.expectProblem(503, 'PUT', path, { token, body })
    expect(problem.code).toBe('file_store_unavailable')
    expect((await server.request('GET', '/readyz')).status).toBe(200)
    const missing = `/v1/runs/${run.id}/files/missing`
    expect((await server.request<{ data: unknown[] }>('GET', missing, { token })).body.data).toHaveLength(1)

    await s3.start()
    expect((await server.request('PUT', path, { token, body })).status).toBe(201)
    expect((await server.request<{ data: unknown[] }>('GET', missing, { token })).body.data).toEqual([])
  })
})
