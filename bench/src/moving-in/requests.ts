import { setTimeout as sleep } from 'node:timers/promises'

import { createSender, headers } from '../rich-cases-projects.ts'
import type { Server } from '../servers.ts'
import type { Source } from './sources.ts'

/* Imports as the web app and the command do them. */

const PART_BYTES = 8 * 1024 * 1024
const POLL_MS = 50

interface ImportState {
  id: string
  state: string
  plan: string | null
  created_at: string
  planned_at: string | null
  applied_at: string | null
  error: { detail: string } | null
  planning: { actions: { kind: string; action: string; count: number }[] } | null
  proof: { is_equal: boolean } | null
}

/** Creates an empty project, and returns its id. */
export async function createProject(server: Server, prefix: string): Promise<string> {
  const created = await createSender(server)('POST', '/v1/projects', { name: `Moving in ${prefix}`, prefix })
  return (created as { data: { id: string } }).data.id
}

/** Sends a file in parts. @returns its id */
export async function sendFile(server: Server, projectId: string, { name, content }: Source): Promise<string> {
  const path = `/v1/projects/${projectId}/file-uploads`
  const created = await createSender(server)('POST', path, { byte_count: content.length, name })
  const { id } = (created as { data: { id: string } }).data
  for (let start = 0; ; start += PART_BYTES) {
    const part = content.subarray(start, start + PART_BYTES)
    const response = await fetch(`${server.url}${path}/${id}`, {
      method: 'PUT',
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${start}-${start + part.length - 1}/${content.length}`,
      },
      body: new Uint8Array(part),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`A part of ${name}: ${response.status} ${text}`)
    if (start + PART_BYTES < content.length) continue
    return (JSON.parse(text) as { data: { file_id: string } }).data.file_id
  }
}

/** Reads and plans a file that was sent: the time, until the plan is there. */
export async function planFile(server: Server, projectId: string, { fileId, name }: { fileId: string; name: string }) {
  const start = performance.now()
  const created = await createSender(server)('POST', `/v1/projects/${projectId}/imports`, { file_id: fileId, name })
  const { id } = (created as { data: ImportState }).data
  const planned = await waitFor(server, projectId, id, 'planned')
  return { planned, ms: performance.now() - start }
}

/** Applies a plan: the time, until it is proven. */
export async function applyPlan(server: Server, projectId: string, { id, plan }: ImportState): Promise<number> {
  const start = performance.now()
  await createSender(server)('POST', `/v1/projects/${projectId}/imports/${id}/apply`, { plan })
  const done = await waitFor(server, projectId, id, 'done')
  if (done.proof?.is_equal !== true) throw new Error(`Import ${id} has no equal proof`)
  return performance.now() - start
}

/** How many objects of a kind a plan has for an action. */
export const getCount = ({ planning }: ImportState, kind: string, action: string): number =>
  planning?.actions.find((each) => each.kind === kind && each.action === action)?.count ?? 0

async function waitFor(server: Server, projectId: string, id: string, state: string): Promise<ImportState> {
  for (;;) {
    const response = await fetch(`${server.url}/v1/projects/${projectId}/imports/${id}`, { headers })
    const { data } = (await response.json()) as { data: ImportState }
    if (data.state === state) return data
    if (['failed', 'differs', 'cancelled'].includes(data.state)) {
      throw new Error(`Import ${id} is ${data.state}: ${data.error?.detail ?? ''}`)
    }
    await sleep(POLL_MS)
  }
}
