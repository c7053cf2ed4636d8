import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { seedProject, type SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/* What the parts about rich test cases share: requests, and projects that exist for one of them. */

export const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

export type Send = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => Promise<unknown>

export const createSender =
  ({ url }: Server): Send =>
  async (method, path, body) => {
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return await response.json()
  }

/** Seeds a project, and waits until the service knows of the membership, which it keeps for some seconds. */
export async function seedReachable(client: pg.Client, { url }: Server, cases: number): Promise<SeededProject> {
  const seeded = await seedProject(client, cases)
  const isReachable = async () => (await fetch(`${url}/v1/projects/${seeded.projectId}`, { headers })).ok
  while (!(await isReachable())) await sleep(500)
  return seeded
}

export async function deleteProject(client: pg.Client, projectId: string): Promise<void> {
  await client.query('delete from projects where id = $1', [projectId])
}

/** The ids of the first test cases of a seeded project. */
export const getIds = (count: number): string[] => Array.from({ length: count }, (_, index) => `WEB-${index + 1}`)
