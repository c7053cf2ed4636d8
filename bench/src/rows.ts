import { gzipSync } from 'node:zlib'

import { type Target, throughput } from './measure.ts'
import type { SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

const ROWS = 2000

/** Megabytes per second of compact rows: Caseward's, and the bare handlers' with the same rows or with a list of 20. */
export interface RowRates {
  caseward: number
  js: number
  pg: number
  jsList: number
  pgList: number
}

/** Compares a page of 2,000 compact rows with the bare handlers per byte, uncompressed. */
export async function compareRows(
  caseward: Server,
  reference: Server,
  { projectId }: SeededProject,
): Promise<RowRates> {
  const targets = {
    caseward: getRowsTarget(caseward, projectId),
    js: { url: `${reference.url}/js/test-case-rows/${projectId}/${ROWS}` },
    pg: { url: `${reference.url}/pg/test-case-rows/${projectId}/${ROWS}` },
    jsList: { url: `${reference.url}/js/test-cases/${projectId}` },
    pgList: { url: `${reference.url}/pg/test-cases/${projectId}` },
  }
  const rates = await throughput(targets)
  const toMegabytes = async (name: keyof RowRates): Promise<[keyof RowRates, number]> => [
    name,
    (rates[name] * (await fetchBytes(targets[name])).length) / 1e6,
  ]
  const names = Object.keys(targets) as (keyof RowRates)[]
  return Object.fromEntries(await Promise.all(names.map(toMegabytes))) as unknown as RowRates
}

/**
 * Reads all rows of a project, as the web app does, and returns their size in kilobytes with compression.
 * @param query more of it, such as `&columns=severity`
 */
export async function measureIndexKb(
  caseward: Server,
  { projectId }: Pick<SeededProject, 'projectId'>,
  query = '',
): Promise<number> {
  let bytes = 0
  for (let after: string | null = ''; after !== null;) {
    const target = getRowsTarget(caseward, projectId)
    const page = await fetchBytes({ ...target, url: target.url + query + (after === '' ? '' : `&after=${after}`) })
    bytes += gzipSync(page, { level: 4 }).length
    after = (JSON.parse(page.toString()) as { meta: { next_after: string | null } }).meta.next_after
  }
  return bytes / 1024
}

const getRowsTarget = ({ url }: Server, projectId: string): Target => ({
  url: `${url}/v1/projects/${projectId}/test-cases?fields=row&per_page=${ROWS}`,
  headers: { authorization: `Bearer ${TOKEN}` },
})

async function fetchBytes({ url, headers = {} }: Target): Promise<Buffer> {
  const response = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
