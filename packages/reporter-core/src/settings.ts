import { detectCiBuild } from './ci-build.ts'
import type { ReporterOptions } from './options.ts'

/** The run to upload to: an existing run, or the run of a key, which is created if it does not exist. */
export type RunTarget =
  | { readonly kind: 'run'; readonly id: string }
  | {
      readonly kind: 'key'
      /** Id or prefix of the project. */
      readonly projectId: string
      readonly key: string
      readonly name: string
      readonly metadata: Readonly<Record<string, string>>
      readonly expectedShards: number | null
    }

export interface Settings {
  readonly url: string | null
  readonly token: string | null
  readonly target: RunTarget | null
  /** Name of this shard; null if the suite is not one of several shards. */
  readonly shard: string | null
  readonly strict: boolean
  readonly createCases: boolean
  /** Undefined: as the run says. */
  readonly addToRun: boolean | undefined
  /** A clause about each setting that is missing. */
  readonly missing: readonly string[]
  /** Whether nothing is configured, as on most developers' machines. */
  readonly isDisabled: boolean
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The maximum number of shards of a run (contract, "Runs"). */
const MAX_SHARDS = 1000

/**
 * Reads the settings from the options, else from the environment, else from the framework and the CI system.
 * An empty variable is treated as missing, because CI systems leave secrets empty where they are not available.
 */
export function readSettings(
  options: ReporterOptions,
  defaults: Pick<ReporterOptions, 'shard' | 'expectedShards'>,
  env: EnvironmentVariables,
): Settings {
  const read = (option: unknown, variable: string) => toNonEmptyString(option) ?? toNonEmptyString(env[variable])
  const build = detectCiBuild(env)
  const [url, token] = [read(options.url, 'SERVICE_URL'), read(options.token, 'SERVICE_TOKEN')]
  const runId = read(options.runId, 'SERVICE_RUN_ID')
  const projectId = read(options.projectId, 'SERVICE_PROJECT_ID')
  const key = read(options.runKey, 'SERVICE_RUN_KEY') ?? build?.key ?? null
  const expectedShards =
    parseShardCount(options.expectedShards) ??
    parseShardCount(toNonEmptyString(env['SERVICE_EXPECTED_SHARDS'])) ??
    parseShardCount(defaults.expectedShards) ??
    build?.shards ??
    null
  const shard =
    read(options.shard, 'SERVICE_SHARD') ??
    toNonEmptyString(defaults.shard) ??
    build?.shard ??
    (expectedShards === 1 ? '1' : null)
  const target = resolveTarget(runId, projectId, key, {
    name: read(options.runName, 'SERVICE_RUN_NAME') ?? build?.name ?? key ?? '',
    metadata: build?.metadata ?? {},
    expectedShards,
  })
  const missing = [
    ...(url === null ? ['SERVICE_URL is not set'] : []),
    ...(token === null ? ['SERVICE_TOKEN is not set or empty (secrets are not available in forks)'] : []),
    ...(target === null ? [describeMissingTarget(projectId)] : []),
  ]
  return {
    // Users often include the `/v1` of the API, which is not part of a run's page.
    url: url?.replace(/\/+$/, '').replace(/\/v1$/, '') ?? null,
    token,
    target,
    shard,
    strict: options.strict ?? readFlag(env['SERVICE_STRICT']) ?? false,
    createCases: options.createCases ?? readFlag(env['SERVICE_CREATE_CASES']) ?? false,
    addToRun: options.addToRun ?? readFlag(env['SERVICE_ADD_TO_RUN']),
    missing,
    isDisabled: token === null && runId === null && projectId === null,
  }
}

/** Returns undefined for a variable that is missing or empty. */
function readFlag(text = ''): boolean | undefined {
  const value = text.trim().toLowerCase()
  return value === '' ? undefined : ['1', 'true', 'yes', 'on'].includes(value)
}

function resolveTarget(
  runId: string | null,
  projectId: string | null,
  key: string | null,
  run: { name: string; metadata: Readonly<Record<string, string>>; expectedShards: number | null },
): RunTarget | null {
  if (runId !== null) return { kind: 'run', id: runId }
  if (projectId === null || key === null) return null
  return { kind: 'key', projectId, key, ...run }
}

const describeMissingTarget = (projectId: string | null) =>
  projectId === null
    ? 'neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set'
    : 'SERVICE_RUN_KEY is not set, and no CI system was detected'

/** Also accepts a number or URL, because configuration files may not be type-checked. */
function toNonEmptyString(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof URL)) return null
  const trimmed = String(value).trim()
  // Azure Pipelines does not replace the reference to a missing variable, such as a secret in a fork.
  return trimmed === '' || /^\$\([\w.-]+\)$/.test(trimmed) ? null : trimmed
}

function parseShardCount(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_SHARDS ? number : null
}
