import { detectCiBuild, stripCredentials } from './ci-build.ts'
import { findCiSystem } from './ci-systems.ts'
import { type EnvironmentVariables, readText } from './environment.ts'

/** What in CI produces a report. Texts are '' when unknown. */
export interface SourceSettings {
  /** CI's name of the job, the same in all builds. */
  readonly job: string
  /** What tells the executions of the job within one build attempt apart. */
  readonly instance: string
  /** CI's number of the rerun of the job; null if unknown. */
  readonly buildAttempt: number | null
  /** Name that people give to tell executions of the same tests apart: `windows, node 18`. */
  readonly variant: string
  /** Where it runs, for people: `linux x64, Node 20`. */
  readonly label: string
  /** Page of the CI job. */
  readonly jobUrl: string
}

/** The machine that runs the tests. */
export interface Machine {
  readonly platform: string
  readonly arch: string
  /** `20.19.0` or `v20.19.0`. */
  readonly nodeVersion: string
}

/**
 * Finds out what in CI produces a report, from the variables of the CI system. `SERVICE_JOB`, `SERVICE_INSTANCE`,
 * `SERVICE_BUILD_ATTEMPT` and `SERVICE_VARIANT` override them.
 * @param variant option of the reporter or command; it overrides `SERVICE_VARIANT`
 */
export function readSource(env: EnvironmentVariables, machine: Machine, variant?: unknown): SourceSettings {
  const job = findCiSystem(env)?.job
  const readFirst = (lists: readonly (readonly string[])[] = []) =>
    lists.map((names) => joinValues(env, names)).find((text) => text !== '') ?? ''
  const name = readFirst(job?.name)
  // Other jobs may have such names, too: GitLab shows the jobs `unit 1/2` and `unit 2/2` as a group.
  const isShard = (detectCiBuild(env)?.shard ?? null) !== null
  const url = typeof job?.url === 'function' ? job.url(env) : env[job?.url ?? '']
  return {
    job: readText(env['SERVICE_JOB']) ?? (isShard ? name.replace(job?.trim ?? '', '') : name),
    instance: readText(env['SERVICE_INSTANCE']) ?? readFirst(job?.instance).replace(UUID, '$1'),
    buildAttempt:
      parseBuildAttempt(readText(env['SERVICE_BUILD_ATTEMPT'])) ??
      parseBuildAttempt(readText(env[job?.attempt ?? '']), job?.attemptFrom),
    variant: readText(variant) ?? readText(env['SERVICE_VARIANT']) ?? '',
    label: formatLabel(env, machine),
    jobUrl: stripCredentials(url ?? ''),
  }
}

/** Pages show the instance. The beginning of an id tells the jobs of one build apart, and is never a parallel index. */
const UUID = /(?:github_|\b)([\da-f]{8}-[\da-f]{4})-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi

const joinValues = (env: EnvironmentVariables, names: readonly string[]): string =>
  names
    .map((name) => readText(env[name]))
    .filter((value) => value !== null)
    .join(' / ')

/** Returns the number of a build attempt, from 1; null if the text is none. */
function parseBuildAttempt(text: string | null, from: 0 | 1 = 1): number | null {
  const number = text !== null && /^\d{1,16}$/.test(text) ? Number(text) + 1 - from : 0
  return number >= 1 && Number.isSafeInteger(number) ? number : null
}

const SYSTEM_NAMES: Readonly<Record<string, string>> = { win32: 'windows', darwin: 'macos' }

/** The system and architecture that CI names, else those of the process, and the version of Node.js. */
function formatLabel(env: EnvironmentVariables, { platform, arch, nodeVersion }: Machine): string {
  const system = readText(env['RUNNER_OS']) ?? readText(env['AGENT_OS']) ?? SYSTEM_NAMES[platform] ?? platform
  const architecture = readText(env['RUNNER_ARCH']) ?? readText(env['AGENT_OSARCHITECTURE']) ?? arch
  return `${system} ${architecture}, Node ${nodeVersion.replace(/^v/, '').split('.')[0] ?? ''}`
}

/** The fields of an upload that say where it comes from. */
export interface SourceFields {
  readonly job?: string
  readonly instance?: string
  readonly build_attempt?: number
  readonly variant?: string
  readonly label?: string
  readonly job_url?: string
}

/** Returns the fields of an upload that say where it comes from; unknown ones are left out. */
export function toSourceFields(source: SourceSettings): SourceFields {
  const { job, instance, buildAttempt, variant, label, jobUrl } = source
  return {
    ...(job === '' ? {} : { job }),
    ...(instance === '' ? {} : { instance }),
    ...(buildAttempt === null ? {} : { build_attempt: buildAttempt }),
    ...(variant === '' ? {} : { variant }),
    ...(label === '' ? {} : { label }),
    ...(jobUrl === '' ? {} : { job_url: jobUrl }),
  }
}
