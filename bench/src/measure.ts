import autocannon from 'autocannon'

import type { Server } from './servers.ts'

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The value below which 95 of 100 lie. */
export const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN

/** Measures a duration in milliseconds. */
async function measureMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * The median times of several kinds of work in milliseconds. They alternate, so that a temporary slowdown of the machine
 * affects all of them, in both orders: what one leaves to be done, such as garbage to collect, does not always fall to the same.
 */
export async function measureInterleaved<K extends string>(
  rounds: number,
  kinds: Record<K, () => Promise<unknown>>,
): Promise<Record<K, number>> {
  return mapValues(await takeTurns(rounds, kinds, measureMilliseconds), median)
}

/** Measures each of them in every round, in one order and the other. The first round warms up code, caches and prepared statements. */
export async function takeTurns<K extends string, T, M>(
  rounds: number,
  targets: Record<K, T>,
  measure: (target: T, isWarmUp: boolean) => Promise<M>,
): Promise<Record<K, M[]>> {
  const names = Object.keys(targets) as K[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as M[]])) as Record<K, M[]>
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await measure(targets[name], round < 0)
      if (round >= 0) measured[name].push(value)
    }
  }
  return measured
}

export interface Target {
  url: string
  /** Paths that are requested in turn, instead of `url` alone. */
  paths?: readonly string[]
  headers?: Record<string, string>
  /** Whether the response is 304. */
  isNotModified?: boolean
}

/** Time before measuring starts: code is compiled, caches are filled, statements are prepared. */
const WARM_UP_SECONDS = 5
const ROUNDS = 9
const ROUND_SECONDS = 1

/** Requests per second of several URLs with 10 connections: the medians of alternating rounds. */
export async function throughput<K extends string>(targets: Record<K, Target>): Promise<Record<K, number>> {
  const rounds = await measureInTurn(targets, measureRate)
  return mapValues(rounds, median)
}

/** How many requests a server handles, and what each of them costs. */
export interface Load {
  /** Requests per second. */
  rate: number
  /** Processor time of the server's process for each request, in microseconds. PostgreSQL's is not in it. */
  cpuUs: number
}

type ServedTarget = Target & { server: Pick<Server, 'getStats'> }

/** Short rounds, so that all of them have the same processor clock and garbage to collect: in long ones, ratios differ by a fifth. */
const LOAD_ROUNDS = 25
const LOAD_SECONDS = 0.3

/** As {@link throughput}, with the processor time of the servers, which depends less on what else the machine does. */
export async function compareLoads<K extends string>(targets: Record<K, ServedTarget>): Promise<Record<K, Load>> {
  const rounds = await measureInTurn(targets, measureLoad, { rounds: LOAD_ROUNDS, seconds: LOAD_SECONDS })
  return mapValues(rounds, (loads) => ({
    rate: median(loads.map(({ rate }) => rate)),
    cpuUs: median(loads.map(({ cpuUs }) => cpuUs)),
  }))
}

async function measureLoad({ server, ...target }: ServedTarget, seconds: number): Promise<Load> {
  const before = await server.getStats()
  const { requests, duration } = await requestInTurn(target, seconds)
  const after = await server.getStats()
  return { rate: requests.total / duration, cpuUs: ((after.cpuMs - before.cpuMs) * 1000) / requests.total }
}

const measureInTurn = <K extends string, T, M>(
  targets: Record<K, T>,
  measure: (target: T, seconds: number) => Promise<M>,
  { rounds, seconds } = { rounds: ROUNDS, seconds: ROUND_SECONDS },
): Promise<Record<K, M[]>> =>
  takeTurns(rounds, targets, (target, isWarmUp) => measure(target, isWarmUp ? WARM_UP_SECONDS : seconds))

const mapValues = <K extends string, T, R>(record: Record<K, T>, map: (value: T) => R): Record<K, R> =>
  Object.fromEntries(Object.entries<T>(record).map(([name, value]) => [name, map(value)])) as Record<K, R>

/**
 * Requests per second of two URLs in many short rounds, one directly after the other. The ratio is the median of the
 * ratios of the rounds: other work on the machine changes the rates of a minute, and hardly the ratio within two seconds.
 * @returns medians, and `ratio` as reference ÷ measured
 */
export async function compareThroughput(measured: Target, reference: Target) {
  for (const target of [measured, reference]) await measureRate(target, WARM_UP_SECONDS)
  const rounds: { measured: number; reference: number }[] = []
  while (rounds.length < PAIRS) {
    rounds.push({ measured: await measureRate(measured, 1), reference: await measureRate(reference, 1) })
  }
  return {
    measured: median(rounds.map((round) => round.measured)),
    reference: median(rounds.map((round) => round.reference)),
    ratio: median(rounds.map((round) => round.reference / round.measured)),
  }
}

const PAIRS = 15

async function measureRate(target: Target, seconds: number): Promise<number> {
  const { requests, duration } = await requestInTurn(target, seconds)
  return requests.total / duration
}

const SAMPLE_MS = 10

/** Requests with 10 connections. */
async function requestInTurn(
  { url, headers, paths, isNotModified = false }: Target,
  seconds: number,
): Promise<autocannon.Result> {
  const result = await autocannon({
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(paths === undefined ? {} : { requests: paths.map((path) => ({ path })) }),
    connections: 10,
    duration: seconds,
    // It ends with the next sample: with one of a second, a second may have become two.
    sampleInt: SAMPLE_MS,
  })
  const unexpected = isNotModified ? result.requests.total - result['3xx'] : result.non2xx
  if (unexpected > 0 || result.errors > 0)
    throw new Error(`${url}: ${unexpected} unexpected responses, ${result.errors} errors`)
  return result
}
