type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The build of a CI system, as its variables tell it. */
export interface CiBuild {
  /** The same for all jobs of the build, and for a re-run of some of them. */
  readonly key: string
  /** What a run made for it is called. */
  readonly name: string
  /** Branch, commit and address, as far as they are known. */
  readonly metadata: Readonly<Record<string, string>>
  /** Which of its parallel jobs this is, from 1, where the system counts them. */
  readonly shard: string | null
  readonly shards: number | null
}

/** Where a CI system says what. Each entry is the name of a variable; of several in brackets the first that is set. */
interface Variables {
  readonly system: string
  /** The variable that shows that it is this system. */
  readonly detectedBy: string
  /** Together they tell the build from every other of the system. Those that are not set are left out. */
  readonly id: readonly (readonly string[])[]
  /** The number or name that people know it by. */
  readonly number: string
  readonly branch: readonly string[]
  readonly commit: string
  readonly url: string | ((env: EnvironmentVariables) => string | undefined)
  /** Index of a parallel job, and whether it counts from 0 or 1; and how many there are. */
  readonly shard?: { readonly index: string; readonly from: 0 | 1; readonly count: string }
}

/*
 * Sources: each system's own page of predefined variables. The id is chosen so that jobs that are run again belong to the
 * same build, where the system has such an id.
 */
const systems: readonly Variables[] = [
  {
    system: 'GitHub Actions',
    detectedBy: 'GITHUB_RUN_ID',
    // The id is documented as unique within a repository only.
    id: [['GITHUB_REPOSITORY'], ['GITHUB_RUN_ID']],
    number: 'GITHUB_RUN_NUMBER',
    branch: ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
    commit: 'GITHUB_SHA',
    url: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id }) =>
      server && repository ? `${server}/${repository}/actions/runs/${id}` : undefined,
  },
  {
    system: 'GitLab',
    detectedBy: 'CI_PIPELINE_ID',
    id: [['CI_PIPELINE_ID']],
    number: 'CI_PIPELINE_IID',
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_REF_NAME'],
    commit: 'CI_COMMIT_SHA',
    url: 'CI_PIPELINE_URL',
    shard: { index: 'CI_NODE_INDEX', from: 1, count: 'CI_NODE_TOTAL' },
  },
  {
    system: 'CircleCI',
    detectedBy: 'CIRCLE_WORKFLOW_ID',
    // A workflow that is run again from its failed jobs has an id of its own, but the workspace of the first.
    id: [['CIRCLE_WORKFLOW_WORKSPACE_ID', 'CIRCLE_WORKFLOW_ID']],
    number: 'CIRCLE_BUILD_NUM',
    branch: ['CIRCLE_BRANCH', 'CIRCLE_TAG'],
    commit: 'CIRCLE_SHA1',
    url: 'CIRCLE_BUILD_URL',
    shard: { index: 'CIRCLE_NODE_INDEX', from: 0, count: 'CIRCLE_NODE_TOTAL' },
  },
  {
    system: 'Azure Pipelines',
    detectedBy: 'BUILD_BUILDID',
    id: [['SYSTEM_COLLECTIONURI'], ['BUILD_BUILDID']],
    number: 'BUILD_BUILDNUMBER',
    // Not BUILD_SOURCEBRANCHNAME, which is `login` of `feature/login`.
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
    commit: 'BUILD_SOURCEVERSION',
    url: ({ SYSTEM_COLLECTIONURI: collection, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: id }) =>
      collection && project ? `${collection}${encodeURIComponent(project)}/_build/results?buildId=${id}` : undefined,
    shard: { index: 'SYSTEM_JOBPOSITIONINPHASE', from: 1, count: 'SYSTEM_TOTALJOBSINPHASE' },
  },
  {
    system: 'Buildkite',
    detectedBy: 'BUILDKITE_BUILD_ID',
    id: [['BUILDKITE_BUILD_ID']],
    number: 'BUILDKITE_BUILD_NUMBER',
    branch: ['BUILDKITE_BRANCH'],
    commit: 'BUILDKITE_COMMIT',
    url: 'BUILDKITE_BUILD_URL',
    shard: { index: 'BUILDKITE_PARALLEL_JOB', from: 0, count: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  },
  {
    system: 'Bitbucket',
    detectedBy: 'BITBUCKET_BUILD_NUMBER',
    id: [['BITBUCKET_REPO_FULL_NAME'], ['BITBUCKET_BUILD_NUMBER']],
    number: 'BITBUCKET_BUILD_NUMBER',
    branch: ['BITBUCKET_BRANCH', 'BITBUCKET_TAG'],
    commit: 'BITBUCKET_COMMIT',
    url: ({ BITBUCKET_GIT_HTTP_ORIGIN: origin, BITBUCKET_BUILD_NUMBER: number }) =>
      origin ? `${origin}/pipelines/results/${number}` : undefined,
    shard: { index: 'BITBUCKET_PARALLEL_STEP', from: 0, count: 'BITBUCKET_PARALLEL_STEP_COUNT' },
  },
  {
    system: 'Jenkins',
    detectedBy: 'BUILD_TAG',
    // JENKINS_URL is there only where an administrator has set it; BUILD_TAG is the same for `a/b-c` and `a-b/c`.
    id: [['JENKINS_URL'], ['JOB_NAME', 'BUILD_TAG'], ['BUILD_NUMBER']],
    number: 'BUILD_DISPLAY_NAME',
    branch: ['CHANGE_BRANCH', 'BRANCH_NAME', 'GIT_LOCAL_BRANCH', 'GIT_BRANCH'],
    commit: 'GIT_COMMIT',
    url: 'BUILD_URL',
  },
]

/** The build that this process is a job of, or null outside of every CI system known here. */
export function detectCiBuild(env: EnvironmentVariables): CiBuild | null {
  const variables = systems.find(({ detectedBy }) => given(env[detectedBy]))
  if (variables === undefined) return null
  const { system, id, number, branch, commit, url, shard } = variables
  const first = (names: readonly string[]) => names.map((name) => env[name]).find(given)
  const branchName = first(branch)?.replace(/^(?:refs\/(?:heads|tags)|origin)\//, '')
  const metadataEntries: [string, string | undefined][] = [
    ['branch', branchName],
    // Buildkite says HEAD until it has looked.
    ['commit', env[commit] === 'HEAD' ? undefined : env[commit]],
    ['ci_url', typeof url === 'string' ? env[url] : url(env)],
  ]
  const count = wholeNumber(shard && env[shard.count])
  const index = wholeNumber(shard && env[shard.index])
  const isOneOfSeveral = shard !== undefined && index !== null && count !== null && count > 1
  return {
    key: stripCredentials([system, ...id.map(first).filter(given)].join(' ')),
    name: [system, env[number], ...(branchName === undefined ? [] : [`(${branchName})`])].filter(given).join(' '),
    metadata: Object.fromEntries(
      metadataEntries
        .filter((entry): entry is [string, string] => given(entry[1]))
        .map(([k, v]) => [k, stripCredentials(v)]),
    ),
    shard: isOneOfSeveral ? String(index - shard.from + 1) : null,
    shards: isOneOfSeveral ? count : null,
  }
}

/** An address without the name and password that may stand in it: everybody who sees the run would see them. */
export const stripCredentials = (text: string): string => text.replaceAll(/(:\/\/)[^/?#\s]*@/g, '$1')

function given(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : null
}
