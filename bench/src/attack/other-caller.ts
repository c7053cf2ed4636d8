import { createHash, randomUUID } from 'node:crypto'

import { generateTokenSecret } from '@caseward/server/access/secret'
import type pg from 'pg'

import { type OtherCaller, type OtherCost, prepareRequest, send } from './client.ts'

/** Creates the user, with a project. */
export async function createOtherCaller(url: string, client: pg.Client): Promise<OtherCaller> {
  const userId = randomUUID()
  const token = generateTokenSecret('personal')
  await client.query(`insert into users (id, email, name) values ($1, $2, 'Other')`, [userId, `${userId}@example.test`])
  await client.query(
    `insert into api_tokens (id, kind, user_id, name, access, secret_hash) values ($1, 'personal', $2, 'bench', 'write', $3)`,
    [randomUUID(), userId, createHash('sha256').update(token).digest()],
  )
  const response = await fetch(`${url}/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Other', prefix: 'OTH' }),
  })
  if (!response.ok) throw new Error(`POST /v1/projects returned ${response.status}`)
  const { data } = (await response.json()) as { data: { id: string } }
  return { url, token, projectId: data.id }
}

/** Creates a folder with an `Idempotency-Key`, as the web app does with everything that it creates. */
export async function createFolder({ url, token, projectId }: OtherCaller, cost: OtherCost): Promise<void> {
  const type = `application/json\r\nIdempotency-Key: ${randomUUID()}`
  const body = Buffer.from(JSON.stringify({ name: randomUUID() }))
  const request = prepareRequest('POST', `/v1/projects/${projectId}/folders`, token, type, body)
  const startedAt = performance.now()
  const status = await send({ url }, request)
  cost.slowestMs = Math.max(cost.slowestMs, performance.now() - startedAt)
  if (status !== '201') cost.failures += 1
}
