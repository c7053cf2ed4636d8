import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { type EnvironmentVariables, readText } from './environment.ts'

/** What the event that started a workflow of GitHub Actions says about its build. */
export interface GithubEvent {
  readonly headCommit?: string
  readonly baseBranch?: string
  readonly baseCommit?: string
  readonly pullRequest?: string
  readonly defaultBranch?: string
}

/**
 * Reads the file with the event. `pull_request.base.sha` is not used: it can be older than the commit that was merged.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function readGithubEvent(env: EnvironmentVariables): GithubEvent {
  const event = readJson(readText(env['GITHUB_EVENT_PATH']))
  const pullRequest = toRecord(event['pull_request'])
  const mergeGroup = toRecord(event['merge_group'])
  const values = {
    headCommit: toRecord(pullRequest['head'])['sha'],
    baseBranch: mergeGroup['base_ref'],
    baseCommit: mergeGroup['base_sha'],
    pullRequest: pullRequest['number'],
    defaultBranch: toRecord(event['repository'])['default_branch'],
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = readText(value)
      return text === null ? [] : [[name, text]]
    }),
  )
}

/** A file that is missing or broken says nothing: results must not be lost for it. */
function readJson(path: string | null): Record<string, unknown> {
  try {
    return path === null ? {} : toRecord(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const GIT_TIMEOUT_MS = 5000

/**
 * Returns the first parent of a merge commit, if it is what is checked out. A shallow clone lacks the parent, but the merge
 * commit names it.
 */
export function readFirstParent(commit: string, cwd: string): string | null {
  const { stdout } = spawnSync(
    'git',
    // In the container of a job, the checkout belongs to another user.
    ['-c', 'safe.directory=*', 'cat-file', '--batch'],
    {
      cwd,
      input: 'HEAD\n',
      encoding: 'utf8',
      timeout: GIT_TIMEOUT_MS,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  const [first = '', ...lines] = (stdout ?? '').split('\n')
  if (!first.startsWith(`${commit.toLowerCase()} commit `)) return null
  const header = lines.slice(0, lines.indexOf(''))
  const parents = header.filter((line) => line.startsWith('parent ')).map((line) => line.slice('parent '.length))
  return parents.length === 2 ? (parents[0] ?? null) : null
}
