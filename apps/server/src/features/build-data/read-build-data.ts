/** What CI says of a build: columns of `runs`. */
export interface BuildData {
  repository: string | null
  branch: string | null
  commit_sha: string | null
  /** The newest commit of the pull request; `commit_sha` is what was tested. */
  head_commit: string | null
  base_branch: string | null
  base_commit: string | null
  pull_request: string | null
  default_branch: string | null
  /** The version of what was tested, where the tests have a repository of their own. */
  target: string | null
  /** The pipeline; '' for none. */
  series: string
}

const MAX_TEXT = 255
const MAX_SERIES = 100

const readText = (text: string | undefined, max = MAX_TEXT): string | null => {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' || trimmed.length > max ? null : trimmed
}

const readCommit = (text: string | undefined): string | null => {
  const commit = text?.trim().toLowerCase() ?? ''
  return /^[0-9a-f]{7,64}$/.test(commit) ? commit : null
}

const readNumber = (text: string | undefined): string | null => {
  const number = text?.trim() ?? ''
  return /^[0-9]{1,20}$/.test(number) ? number : null
}

/** The branches that merge queues create: of GitHub, and of Trunk. */
const GITHUB_QUEUE = /^gh-readonly-queue\/(.+)\/pr-([0-9]{1,20})-/
const TRUNK_QUEUE = /^trunk-merge\/pr-([0-9]{1,20})\b/

/**
 * Reads build data from the metadata of a run. A value of the wrong form is ignored: it stays in the metadata, and must not fail
 * a build.
 */
export function readBuildData(metadata: Readonly<Record<string, string>>): BuildData {
  const branch = readText(metadata['branch'])
  const githubQueue = GITHUB_QUEUE.exec(branch ?? '')
  const queued = githubQueue?.[2] ?? TRUNK_QUEUE.exec(branch ?? '')?.[1] ?? null
  return {
    repository: readText(metadata['repository']),
    branch,
    commit_sha: readCommit(metadata['commit']),
    head_commit: readCommit(metadata['head_commit']),
    base_branch: readText(metadata['base_branch']) ?? githubQueue?.[1] ?? null,
    base_commit: readCommit(metadata['base_commit']),
    pull_request: readNumber(metadata['pull_request']) ?? queued,
    default_branch: readText(metadata['default_branch']),
    target: readText(metadata['target']),
    series: readText(metadata['suite'], MAX_SERIES) ?? '',
  }
}

/** As many entries as metadata can have. */
const MAX_ENTRIES = 50

/** Returns metadata with the keys that it lacks; null if there are none. What a run has already does not change. */
export function addMissingMetadata(
  stored: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, string>>,
): Record<string, string> | null {
  const missing = Object.entries(sent).filter(([key]) => !Object.hasOwn(stored, key))
  const added = missing.slice(0, Math.max(0, MAX_ENTRIES - Object.keys(stored).length))
  return added.length === 0 ? null : { ...stored, ...Object.fromEntries(added) }
}
