import { type EnvironmentVariables, readFlag, readText } from '@caseward/ci-run/environment'
import { type FrameworkShards, normalizeServerUrl, readRunSettings, type RunTarget } from '@caseward/ci-run/settings'

import type { SourceSettings } from '@caseward/ci-run/source'
import { EVIDENCE_OF, type EvidenceOf, type ReporterOptions } from './options.ts'

export interface Settings {
  readonly url: string | null
  readonly token: string | null
  readonly target: RunTarget | null
  /** Name of this shard; null if the suite is not one of several shards. */
  readonly shard: string | null
  /** What in CI runs the suite. */
  readonly source: SourceSettings
  readonly strict: boolean
  readonly createCases: boolean
  /** Undefined: as the run says. */
  readonly addToRun: boolean | undefined
  readonly attachments: EvidenceOf
  readonly attachmentsTimeoutMs: number
  readonly spoolLimitBytes: number
  readonly steps: EvidenceOf
  /** A sentence about each setting that has another value than those it can have, and that is ignored. */
  readonly invalid: readonly string[]
  /** A clause about each setting that is missing. */
  readonly missing: readonly string[]
  /** Whether nothing is configured, as on most developers' machines. */
  readonly isDisabled: boolean
}

/** Reads the settings from the options, else from the environment, else from the framework and the CI system. */
export function readSettings(
  options: ReporterOptions,
  framework: FrameworkShards,
  env: EnvironmentVariables,
): Settings {
  const url = readText(options.url) ?? readText(env['SERVICE_URL'])
  const token = readText(options.token) ?? readText(env['SERVICE_TOKEN'])
  const { projectId, target, shard, source } = readRunSettings(options, env, framework)
  const missing = [
    ...(url === null ? ['SERVICE_URL is not set'] : []),
    ...(token === null ? ['SERVICE_TOKEN is not set or empty (secrets are not available in forks)'] : []),
    ...(target === null ? [describeMissingTarget(projectId)] : []),
  ]
  return {
    url: url === null ? null : normalizeServerUrl(url),
    token,
    target,
    shard,
    source,
    strict: options.strict ?? readFlag(env['SERVICE_STRICT']) ?? false,
    createCases: options.createCases ?? readFlag(env['SERVICE_CREATE_CASES']) ?? false,
    addToRun: options.addToRun ?? readFlag(env['SERVICE_ADD_TO_RUN']),
    ...readEvidenceSettings(options, env),
    missing,
    isDisabled: isReportingDisabled(options, env),
  }
}

/** Returns whether nothing is configured, as on most developers' machines. */
export const isReportingDisabled = (options: ReporterOptions, env: EnvironmentVariables): boolean =>
  [
    [options.token, 'SERVICE_TOKEN'],
    [options.runId, 'SERVICE_RUN_ID'],
    [options.projectId, 'SERVICE_PROJECT_ID'],
  ].every(([option, name]) => readText(option) === null && readText(env[name ?? '']) === null)

const describeMissingTarget = (projectId: string | null) =>
  projectId === null
    ? 'neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set'
    : 'SERVICE_RUN_KEY is not set, and no CI system was detected'

const MEBIBYTE = 1_048_576
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_SPOOL_LIMIT_MB = 1024

/** A value that is not known is ignored and named, because files must not be lost through a typing error. */
function readEvidenceSettings(
  options: ReporterOptions,
  env: EnvironmentVariables,
): Pick<Settings, 'attachments' | 'attachmentsTimeoutMs' | 'spoolLimitBytes' | 'steps' | 'invalid'> {
  const invalid: string[] = []
  const readChoice = (option: unknown, name: string): EvidenceOf => {
    const text = readText(option) ?? readText(env[name])
    const choice = EVIDENCE_OF.find((known) => known === text?.toLowerCase())
    if (text !== null && choice === undefined)
      invalid.push(`${name} is “${text}”: use failed, all or none. It is treated as failed.`)
    return choice ?? 'failed'
  }
  const readNumber = (option: unknown, name: string, fallback: number): number => {
    const text = readText(option) ?? readText(env[name])
    const value = Number(text ?? fallback)
    if (Number.isFinite(value) && value >= 0) return value
    invalid.push(`${name} is “${text}”: it must be a number from 0. It is treated as ${fallback}.`)
    return fallback
  }
  return {
    attachments: readChoice(options.attachments, 'SERVICE_ATTACHMENTS'),
    attachmentsTimeoutMs: readNumber(options.attachmentsTimeoutMs, 'SERVICE_ATTACHMENTS_TIMEOUT', DEFAULT_TIMEOUT_MS),
    spoolLimitBytes: readNumber(options.spoolLimitMb, 'SERVICE_SPOOL_LIMIT_MB', DEFAULT_SPOOL_LIMIT_MB) * MEBIBYTE,
    steps: readChoice(options.steps, 'SERVICE_STEPS'),
    invalid,
  }
}
