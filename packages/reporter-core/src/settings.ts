import { detectCiBuild } from './ci-build.ts'
import type { ReporterOptions } from './options.ts'

/** The run to upload into: one that is there, or the one of a key, which the first who asks for it makes. */
export type RunTarget =
  | { readonly kind: 'run'; readonly id: string }
  | {
      readonly kind: 'key'
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
  /** This job's name, to be reported when it is done; null when it is not one of several. */
  readonly shard: string | null
  readonly strict: boolean
  /** Names of the variables that are missing; a sentence about each. */
  readonly missing: readonly string[]
  /** Nobody has said a word about Caseward here: a developer's own machine, most of the time. */
  readonly isDisabled: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** How many shards a run can have (contract, "Runs"). */
const MAX_SHARDS = 1000

/**
 * The settings: the user's options first, then the environment, then what the framework or the CI system knows.
 * An empty variable counts as missing: CI systems leave secrets empty where they may not be read.
 */
export function readSettings(
  options: ReporterOptions,
  defaults: Pick<ReporterOptions, 'shard' | 'expectedShards'>,
  env: Environment,
): Settings {
  const read = (option: unknown, variable: string) => toNonEmptyString(option) ?? toNonEmptyString(env[variable])
  const build = detectCiBuild(env)
  const [url, token] = [read(options.url, 'SERVICE_URL'), read(options.token, 'SERVICE_TOKEN')]
  const runId = read(options.runId, 'SERVICE_RUN_ID')
  const projectId = read(options.projectId, 'SERVICE_PROJECT_ID')
  const key = read(options.runKey, 'SERVICE_RUN_KEY') ?? build?.key ?? null
  const expectedShards =
    count(options.expectedShards) ??
    count(toNonEmptyString(env['SERVICE_EXPECTED_SHARDS'])) ??
    count(defaults.expectedShards) ??
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
    ...(token === null ? ['SERVICE_TOKEN is not set, or empty as secrets are in forks'] : []),
    ...(target === null ? [describeMissingTarget(projectId)] : []),
  ]
  return {
    // People copy the `/v1` along; a run's page is not below it.
    url: url?.replace(/\/+$/, '').replace(/\/v1$/, '') ?? null,
    token,
    target,
    shard,
    strict: options.strict ?? ['1', 'true', 'yes', 'on'].includes((env['SERVICE_STRICT'] ?? '').trim().toLowerCase()),
    missing,
    isDisabled: token === null && runId === null && projectId === null,
  }
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
    : 'SERVICE_RUN_KEY is not set, and no CI system is known here'

/** Text with something in it. Configuration files are not all type-checked: a number, or a URL object, is meant as text. */
function toNonEmptyString(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof URL)) return null
  const trimmed = String(value).trim()
  // Azure Pipelines leaves the reference to a variable that is not there, such as a secret in a fork.
  return trimmed === '' || /^\$\([\w.-]+\)$/.test(trimmed) ? null : trimmed
}

/** A number of shards that the server takes. */
function count(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_SHARDS ? number : null
}
