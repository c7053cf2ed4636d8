import { findCiSystem, isSet } from './ci-systems.ts'
import { type EnvironmentVariables, readText } from './environment.ts'
import { type GithubEvent, readFirstParent, readGithubEvent } from './github-event.ts'
import { truncateText } from './plain-text.ts'

/**
 * What is known about a build besides its branch, commit and page. The server compares a run with the runs of its base branch by
 * these; what CI does not say is absent.
 */
export interface BuildData {
  /** Path of the repository: `octo-org/shop`. */
  readonly repository?: string
  /** Newest commit of the branch, where CI tests a merge of it with its base. */
  readonly head_commit?: string
  /** Branch that a pull request or merge queue merges into. */
  readonly base_branch?: string
  /** Commit of the base branch that the tested merge contains. */
  readonly base_commit?: string
  readonly pull_request?: string
  readonly default_branch?: string
  /** Version of what is tested, where the tests have a repository of their own. */
  readonly target?: string
  /** The pipeline that a run belongs to: `nightly`. */
  readonly suite?: string
}

/** What users can set. */
export interface BuildDataOptions {
  /** Replaces `SERVICE_TARGET`. */
  readonly target?: string | undefined
  /** Replaces `SERVICE_SUITE`. */
  readonly suite?: string | undefined
}

const MAX_LENGTH = 255
export const MAX_SUITE_LENGTH = 100

/**
 * Reads the build data of this process.
 * @param cwd directory in the checkout
 */
export function readBuildData(
  env: EnvironmentVariables,
  { target, suite }: BuildDataOptions = {},
  cwd: string = process.cwd(),
): BuildData {
  const system = findCiSystem(env)
  const event = system?.system === 'GitHub Actions' ? readGithubEvent(env) : {}
  const read = (name: keyof NonNullable<typeof system>['data']) => system?.data[name]?.(env)
  const queue = readMergeQueue(system?.branch.map((name) => env[name]).find(isSet))
  const defaultBranch = event.defaultBranch ?? read('defaultBranch')
  const pairs: [keyof BuildData, string | null | undefined, RegExp?][] = [
    ['repository', read('repository')],
    ['head_commit', event.headCommit ?? read('headCommit'), COMMIT],
    [
      'base_branch',
      toBranch(event.baseBranch ?? read('baseBranch')) ?? queue?.baseBranch ?? (queue && toBranch(defaultBranch)),
    ],
    ['base_commit', findBaseCommit(event, env, cwd) ?? read('baseCommit'), COMMIT],
    // The pull request that a merge queue opens for its test is not the one that people know.
    ['pull_request', queue?.pullRequest ?? event.pullRequest ?? read('pullRequest'), /^\d{1,20}$/],
    ['default_branch', toBranch(defaultBranch)],
    ['target', readText(target) ?? readText(env['SERVICE_TARGET'])],
    ['suite', readText(suite) ?? readText(env['SERVICE_SUITE']) ?? read('suite')],
  ]
  return Object.fromEntries(
    pairs.flatMap(([key, value, form]) => {
      const text = truncateText(readText(value) ?? '', key === 'suite' ? MAX_SUITE_LENGTH : MAX_LENGTH)
      return text === '' || form?.test(text) === false ? [] : [[key, form === COMMIT ? text.toLowerCase() : text]]
    }),
  )
}

const COMMIT = /^[\da-f]{7,64}$/i

/** The commit of a merge queue; else, for the merge commit that GitHub makes of a pull request, its first parent. */
function findBaseCommit(event: GithubEvent, env: EnvironmentVariables, cwd: string): string | null {
  if (event.baseCommit !== undefined) return event.baseCommit
  // `pull_request_target` tests what the workflow checks out, and GITHUB_SHA is the base branch itself.
  const commit = env['GITHUB_EVENT_NAME'] === 'pull_request' ? readText(env['GITHUB_SHA']) : null
  return commit === null ? null : readFirstParent(commit, cwd)
}

/** Reads the branches that merge queues make: `gh-readonly-queue/main/pr-7-8a006ed`, `trunk-merge/pr-7/4a52…`. */
function readMergeQueue(branch = ''): { baseBranch: string | null; pullRequest: string } | null {
  const match = /^(?:refs\/heads\/)?(?:gh-readonly-queue\/(.+)\/pr-(\d+)-|trunk-merge\/pr-(\d+)\b)/.exec(branch)
  return match === null ? null : { baseBranch: match[1] ?? null, pullRequest: match[2] ?? match[3] ?? '' }
}

const toBranch = (name: string | null | undefined): string | undefined =>
  isSet(name ?? undefined) ? name?.replace(/^refs\/heads\//, '') : undefined
