import { type BuildDataOptions, readBuildData } from './build-data.ts'
import { detectCiBuild } from './ci-build.ts'
import { type EnvironmentVariables, readText } from './environment.ts'
import { type Machine, readSource, type SourceSettings } from './source.ts'

/** The options that name a run and a shard. An option that is not set is read from its environment variable. */
export interface RunOptions {
  /** Id of the run to upload to (`SERVICE_RUN_ID`). */
  readonly runId?: string | undefined
  /**
   * Id or prefix of the project in which to find or create the run of this CI build, if no run is set
   * (`SERVICE_PROJECT_ID`).
   */
  readonly projectId?: string | undefined
  /** Name by which all jobs of a build find the same run (`SERVICE_RUN_KEY`). Default: the id of the CI build. */
  readonly runKey?: string | undefined
  /** Name of the run if it is created (`SERVICE_RUN_NAME`). */
  readonly runName?: string | undefined
  /** Values of custom fields of the run if it is created, by their keys (`SERVICE_RUN_FIELDS`). */
  readonly runFields?: Readonly<Record<string, string>> | undefined
  /** Name of this job among the jobs that share the run (`SERVICE_SHARD`). */
  readonly shard?: string | undefined
  /** Number of jobs that share the run. When all have reported, the run is completed (`SERVICE_EXPECTED_SHARDS`). */
  readonly expectedShards?: number | undefined
  /**
   * Name that tells executions of the same tests apart in all builds, such as `windows, node 18` (`SERVICE_VARIANT`). Tests
   * with different variants have a history of their own.
   */
  readonly variant?: string | undefined
  /** Version of what is tested, where the tests have a repository of their own (`SERVICE_TARGET`). */
  readonly target?: string | undefined
  /** The pipeline that the run belongs to, such as `nightly` (`SERVICE_SUITE`). Default: its name in CI. */
  readonly suite?: string | undefined
}

/** The shards that a test framework knows of. They are used if neither the options nor the environment set any. */
export type FrameworkShards = Pick<RunOptions, 'shard' | 'expectedShards'>

/** The run to upload to: an existing run, or the run of a key, which is created if it does not exist. */
export type RunTarget = { readonly kind: 'run'; readonly id: string } | KeyTarget

/** A run key, by which independent jobs of a build find the same run. */
export interface KeyTarget {
  readonly kind: 'key'
  /** Id or prefix of the project. */
  readonly projectId: string
  readonly key: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
  /** Values of custom fields of the run, by their keys; absent for none. */
  readonly fields?: Readonly<Record<string, string>>
  /** Number of shards of the CI job; of the whole run, if the job is unknown. */
  readonly expectedShards: number | null
  /** Name of the CI job; '' if unknown. */
  readonly job: string
}

export interface RunSettings {
  readonly runId: string | null
  readonly projectId: string | null
  /** Null if the settings name neither a run, nor a project and a key. */
  readonly target: RunTarget | null
  /** Name of this shard; null if the job is not one of several shards. */
  readonly shard: string | null
  readonly source: SourceSettings
}

/** The maximum number of shards of a run (contract, "Runs"). */
export const MAX_SHARDS = 1000

/** Reads the run and the shard from the options, else from the environment, else from the framework and the CI system. */
export function readRunSettings(
  options: RunOptions,
  env: EnvironmentVariables,
  framework: FrameworkShards = {},
  machine: Machine = { platform: process.platform, arch: process.arch, nodeVersion: process.version },
): RunSettings {
  const read = (option: unknown, variable: string) => readText(option) ?? readText(env[variable])
  const build = detectCiBuild(env)
  const runId = read(options.runId, 'SERVICE_RUN_ID')
  const projectId = read(options.projectId, 'SERVICE_PROJECT_ID')
  const key = read(options.runKey, 'SERVICE_RUN_KEY') ?? build?.key ?? null
  const expectedShards =
    parseShardCount(options.expectedShards) ??
    parseShardCount(readText(env['SERVICE_EXPECTED_SHARDS'])) ??
    parseShardCount(framework.expectedShards) ??
    build?.shards ??
    null
  const shard =
    read(options.shard, 'SERVICE_SHARD') ??
    readText(framework.shard) ??
    build?.shard ??
    (expectedShards === 1 ? '1' : null)
  const source = readSource(env, machine, options.variant)
  const target = resolveTarget(runId, projectId, key, () => ({
    job: source.job,
    name: read(options.runName, 'SERVICE_RUN_NAME') ?? build?.name ?? key ?? '',
    metadata: readRunMetadata(options, env),
    ...readRunFields(options, env),
    expectedShards,
  }))
  return { runId, projectId, target, shard, source }
}

function resolveTarget(
  runId: string | null,
  projectId: string | null,
  key: string | null,
  readRun: () => Pick<KeyTarget, 'name' | 'metadata' | 'fields' | 'expectedShards' | 'job'>,
): RunTarget | null {
  if (runId !== null) return { kind: 'run', id: runId }
  if (projectId === null || key === null) return null
  return { kind: 'key', projectId, key, ...readRun() }
}

/** Reads the metadata of the run of this build: branch, commit, page, and what else is known about it. */
export const readRunMetadata = (
  options: BuildDataOptions,
  env: EnvironmentVariables,
): Readonly<Record<string, string>> => ({
  ...detectCiBuild(env)?.metadata,
  ...readBuildData(env, options),
})

/** Reads the values of custom fields of the run: those of the options go before those of the environment. */
export function readRunFields(
  { runFields }: Pick<RunOptions, 'runFields'>,
  env: EnvironmentVariables,
): { fields?: Readonly<Record<string, string>> } {
  const fields = { ...parseRunFields(readText(env['SERVICE_RUN_FIELDS']) ?? ''), ...runFields }
  return Object.keys(fields).length === 0 ? {} : { fields }
}

/**
 * Parses `build=2.4.0, os=linux`, or one pair a line. A part without `=` belongs to the value before it, which then contains a
 * comma; at the start, it is a key without a value, of which the server says that there is no such field.
 */
export function parseRunFields(text: string): Record<string, string> {
  const pairs: [string, string][] = []
  for (const part of text.split(text.includes('\n') ? '\n' : ',')) {
    const separator = part.indexOf('=')
    const last = pairs.at(-1)
    if (separator > 0) pairs.push([part.slice(0, separator).trim(), part.slice(separator + 1).trim()])
    else if (last !== undefined && part.trim() !== '') last[1] = `${last[1]},${part}`.trim()
    else if (part.trim() !== '') pairs.push([part.trim(), ''])
  }
  return Object.fromEntries(pairs)
}

/** Formats values of custom fields as {@link parseRunFields} reads them. Twice one pair is one, and lines keep its commas. */
export function formatRunFields(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}=${value.replaceAll(/\s*\n\s*/g, ' ')}`)
  return [...lines, ...lines.slice(0, 1)].join('\n')
}

/** Removes what users often include: a trailing slash, and the `/v1` of the API, which is not part of a run's page. */
export const normalizeServerUrl = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '')

/** Returns a number of shards; null if the value is none. */
export function parseShardCount(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_SHARDS ? number : null
}
