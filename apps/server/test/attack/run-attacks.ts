import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, it } from 'vitest'

const attackScript = fileURLToPath(new URL('../../../../bench/dist/attack.js', import.meta.url))
export const TIMEOUT_MS = 600_000

/** The fields of a result of `npm run attack` that are checked here. */
export interface AttackResult {
  name: string
  statuses: Record<string, number>
  peakRssMb: number
  slowestHealthMs: number
  healthFailures: number
  recoveredMs: number | null
  seconds: number
  slowestOtherMs: number
  otherFailures: number
  isAlive: boolean
}

const MAX_RSS_MB = 700
/** Other tests may take the processor for so long. */
const MAX_HEALTH_MS = 1000
/** A service that reads a document in one piece responds to nothing else for most of the attack. */
const MAX_HEALTH_SHARE = 0.3

/** Three clients upload each document: one is read, and the others wait for its memory. */
const SCALE = 0.06

/** Runs attacks with few clients: those with one of these names, or all except those with one of the others. */
export async function attack(selection: { only: readonly string[] } | { except: readonly string[] }) {
  const names = 'only' in selection ? selection.only : selection.except.map((name) => `--except=${name}`)
  const args = [attackScript, `--scale=${SCALE}`, '--json', ...names]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS })
  return JSON.parse(stdout) as AttackResult[]
}

/** Returns the names of the results that a test is about. */
export const list = (results: readonly AttackResult[], isWanted: (result: AttackResult) => boolean): string[] =>
  results.filter(isWanted).map(({ name }) => name)

export const getStatuses = (results: readonly AttackResult[], name: string): string[] =>
  Object.keys(results.find((result) => result.name === name)?.statuses ?? {})

const isDelayed = ({ slowestHealthMs, healthFailures, seconds }: AttackResult) =>
  !(slowestHealthMs < Math.max(MAX_HEALTH_MS, MAX_HEALTH_SHARE * 1000 * seconds) && healthFailures === 0)

/** Registers the tests of what every attack must leave as it is. */
export function testEndurance(getResults: () => readonly AttackResult[], count: number): void {
  it('does not end the process', () => {
    expect(list(getResults(), ({ isAlive }) => !isAlive)).toEqual([])
    expect(getResults()).toHaveLength(count)
  })

  it('keeps resident memory under 700 MB', () => {
    expect(list(getResults(), ({ peakRssMb }) => !(peakRssMb < MAX_RSS_MB))).toEqual([])
  })

  it('does not delay /healthz by a second and by a third of the attack', { timeout: TIMEOUT_MS }, async () => {
    // Once more: if other processes have taken the processor for a second, the service could do nothing about it.
    const suspects = list(getResults(), isDelayed)
    const again = suspects.length === 0 ? [] : await attack({ only: suspects })
    expect(list(again, isDelayed)).toEqual([])
  })

  it('gets a response to every request, and no 5xx except 503', () => {
    const isUnexpected = (status: string) => status === 'no response' || (status.startsWith('5') && status !== '503')
    expect(list(getResults(), ({ statuses }) => Object.keys(statuses).some(isUnexpected))).toEqual([])
  })

  it('leaves nothing behind that keeps others from uploading', () => {
    expect(list(getResults(), ({ recoveredMs }) => recoveredMs === null)).toEqual([])
  })
}
