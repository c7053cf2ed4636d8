import { type EnvironmentVariables, readText } from './environment.ts'

/** The environment variables of a CI system. Of a list of names, the first variable that is set is used. */
export interface CiSystem {
  readonly system: string
  /** The variable that is always set in this system. */
  readonly detectedBy: string
  /** Variables that together identify a build within the system. Variables that are not set are ignored. */
  readonly id: readonly (readonly string[])[]
  /** The number or name that users know the build by. */
  readonly number: string
  readonly branch: readonly string[]
  readonly commit: string
  readonly url: string | ((env: EnvironmentVariables) => string | undefined)
  /** Index of a parallel job, counted from 0 or 1, and the number of jobs. */
  readonly shard?: {
    readonly index: string
    readonly from: 0 | 1
    readonly count: string
    /** Whether the job is a leg of a matrix, which CI numbers too: each leg runs the whole suite. */
    readonly isMatrix?: (env: EnvironmentVariables) => boolean
  }
  /** What tells the jobs of a build and their reruns apart. */
  readonly job: {
    /** Lists of variables, which together are the name of the job; the first list with a value is used. */
    readonly name: readonly (readonly string[])[]
    /** What of the name is not the same for all shards. */
    readonly trim?: RegExp
    /** What tells the executions of the job within one build attempt apart. */
    readonly instance?: readonly (readonly string[])[]
    /** The number of the rerun, which grows with each. */
    readonly attempt?: string
    /** 0 if the first execution has the number 0. */
    readonly attemptFrom?: 0
    /** Page of the job. */
    readonly url?: string | ((env: EnvironmentVariables) => string | undefined)
  }
  /** What {@link BuildData} is read from. Names of branches may begin with `refs/heads/`. */
  readonly data: {
    readonly repository: Read
    readonly headCommit?: Read
    readonly baseBranch?: Read
    readonly baseCommit?: Read
    readonly pullRequest: Read
    readonly defaultBranch?: Read
    /** The pipeline, by a name that is the same in all its builds and jobs. */
    readonly suite?: Read
  }
}

type Read = (env: EnvironmentVariables) => string | null | undefined

/** Returns a reader of the first variable that is set. */
const firstOf =
  (...names: readonly string[]): Read =>
  (env) =>
    names.map((name) => readText(env[name])).find((text) => text !== null)

/** Returns the path of a repository from the address of its remote: `git@github.com:octo-org/shop.git`. */
const toSlug = (remote = ''): string | undefined =>
  /^(?:[a-z+]+:\/\/[^/]+\/|[^/]+:)(.+?)(?:\.git)?\/?$/.exec(remote.trim())?.[1]

/*
 * From each CI system's documentation of predefined variables. Where possible, the id stays the same when jobs are run
 * again.
 */
const systems: readonly CiSystem[] = [
  {
    system: 'GitHub Actions',
    detectedBy: 'GITHUB_RUN_ID',
    // GITHUB_RUN_ID is unique only within a repository.
    id: [['GITHUB_REPOSITORY'], ['GITHUB_RUN_ID']],
    number: 'GITHUB_RUN_NUMBER',
    branch: ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
    commit: 'GITHUB_SHA',
    url: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id }) =>
      server && repository ? `${server}/${repository}/actions/runs/${id}` : undefined,
    job: {
      name: [['GITHUB_WORKFLOW', 'GITHUB_JOB']],
      // A runner of one's own may take the legs of a matrix one after another. It has another tracking id for each job.
      instance: [['RUNNER_NAME', 'RUNNER_TRACKING_ID']],
      attempt: 'GITHUB_RUN_ATTEMPT',
    },
    data: {
      repository: firstOf('GITHUB_REPOSITORY'),
      baseBranch: firstOf('GITHUB_BASE_REF'),
      pullRequest: ({ GITHUB_REF: ref }) => /^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1],
      suite: firstOf('GITHUB_WORKFLOW'),
    },
  },
  {
    system: 'GitLab',
    detectedBy: 'CI_PIPELINE_ID',
    id: [['CI_PIPELINE_ID']],
    number: 'CI_PIPELINE_IID',
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_REF_NAME'],
    commit: 'CI_COMMIT_SHA',
    url: 'CI_PIPELINE_URL',
    shard: {
      index: 'CI_NODE_INDEX',
      from: 1,
      count: 'CI_NODE_TOTAL',
      // `parallel: matrix` makes jobs such as `test: [20, linux]`.
      isMatrix: ({ CI_JOB_NAME: name }) => name?.endsWith(']') === true && name.includes(': ['),
    },
    job: {
      name: [['CI_JOB_NAME']],
      trim: / \d+\/\d+$/,
      instance: [['CI_NODE_INDEX']],
      // A job that runs again has a new, larger id.
      attempt: 'CI_JOB_ID',
      url: 'CI_JOB_URL',
    },
    data: {
      repository: firstOf('CI_PROJECT_PATH'),
      headCommit: firstOf('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'),
      baseBranch: firstOf('CI_MERGE_REQUEST_TARGET_BRANCH_NAME'),
      // Only pipelines of merged results and merge trains have the first.
      baseCommit: firstOf('CI_MERGE_REQUEST_TARGET_BRANCH_SHA', 'CI_MERGE_REQUEST_DIFF_BASE_SHA'),
      pullRequest: firstOf('CI_MERGE_REQUEST_IID'),
      defaultBranch: firstOf('CI_DEFAULT_BRANCH'),
      suite: ({ CI_PIPELINE_NAME: name, CI_PIPELINE_SOURCE: source }) =>
        isSet(name) ? name : source === 'schedule' ? source : undefined,
    },
  },
  {
    system: 'CircleCI',
    detectedBy: 'CIRCLE_WORKFLOW_ID',
    // Running failed jobs again changes the id of the workflow, but not of its workspace.
    id: [['CIRCLE_WORKFLOW_WORKSPACE_ID', 'CIRCLE_WORKFLOW_ID']],
    number: 'CIRCLE_BUILD_NUM',
    branch: ['CIRCLE_BRANCH', 'CIRCLE_TAG'],
    commit: 'CIRCLE_SHA1',
    url: 'CIRCLE_BUILD_URL',
    shard: { index: 'CIRCLE_NODE_INDEX', from: 0, count: 'CIRCLE_NODE_TOTAL' },
    job: {
      name: [['CIRCLE_JOB']],
      instance: [['CIRCLE_NODE_INDEX']],
      attempt: 'CIRCLE_BUILD_NUM',
      url: 'CIRCLE_BUILD_URL',
    },
    // No variable names the pipeline or workflow, and CIRCLE_JOB differs between the jobs of a run: there is no suite.
    data: {
      repository: ({ CIRCLE_PROJECT_USERNAME: owner, CIRCLE_PROJECT_REPONAME: name, CIRCLE_REPOSITORY_URL: url }) =>
        isSet(owner) && isSet(name) ? `${owner}/${name}` : toSlug(url),
      pullRequest: ({ CIRCLE_PR_NUMBER: number, CIRCLE_PULL_REQUEST: url }) =>
        isSet(number) ? number : /\/(\d+)$/.exec(url ?? '')?.[1],
    },
  },
  {
    system: 'Azure Pipelines',
    detectedBy: 'BUILD_BUILDID',
    id: [['SYSTEM_COLLECTIONURI'], ['BUILD_BUILDID']],
    number: 'BUILD_BUILDNUMBER',
    // BUILD_SOURCEBRANCHNAME contains only the last part of the name: `login` for `feature/login`.
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
    commit: 'BUILD_SOURCEVERSION',
    url: ({ SYSTEM_COLLECTIONURI: collection, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: id }) =>
      collection && project ? `${collection}${encodeURIComponent(project)}/_build/results?buildId=${id}` : undefined,
    shard: {
      index: 'SYSTEM_JOBPOSITIONINPHASE',
      from: 1,
      count: 'SYSTEM_TOTALJOBSINPHASE',
      isMatrix: ({ SYSTEM_PARALLELEXECUTIONTYPE: type }) => type === 'MultiConfiguration',
    },
    job: {
      name: [['SYSTEM_STAGENAME', 'SYSTEM_PHASENAME', 'SYSTEM_JOBNAME']],
      // `strategy: parallel` names its jobs `job1`, `job2`, …
      trim: / \/ job\d+$/i,
      instance: [['SYSTEM_JOBPOSITIONINPHASE']],
      attempt: 'SYSTEM_JOBATTEMPT',
    },
    data: {
      repository: firstOf('BUILD_REPOSITORY_NAME'),
      baseBranch: firstOf('SYSTEM_PULLREQUEST_TARGETBRANCH'),
      // The number on GitHub; the id is that of Azure Repos.
      pullRequest: firstOf('SYSTEM_PULLREQUEST_PULLREQUESTNUMBER', 'SYSTEM_PULLREQUEST_PULLREQUESTID'),
      suite: firstOf('BUILD_DEFINITIONNAME'),
    },
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
    job: {
      name: [['BUILDKITE_STEP_KEY'], ['BUILDKITE_LABEL']],
      // The legs of a matrix have one key, and steps may have one label.
      instance: [['BUILDKITE_PARALLEL_JOB'], ['BUILDKITE_JOB_ID']],
      attempt: 'BUILDKITE_RETRY_COUNT',
      attemptFrom: 0,
      url: ({ BUILDKITE_BUILD_URL: url, BUILDKITE_JOB_ID: id }) => (url && id ? `${url}#${id}` : undefined),
    },
    data: {
      repository: ({ BUILDKITE_REPO: remote }) => toSlug(remote),
      baseBranch: firstOf('BUILDKITE_PULL_REQUEST_BASE_BRANCH'),
      // `false` without a pull request, which is no number.
      pullRequest: firstOf('BUILDKITE_PULL_REQUEST'),
      defaultBranch: firstOf('BUILDKITE_PIPELINE_DEFAULT_BRANCH'),
      suite: firstOf('BUILDKITE_PIPELINE_SLUG'),
    },
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
    // The steps of a parallel group are numbered, but each is written on its own: they may run different suites.
    job: {
      name: [['BITBUCKET_STEP_UUID']],
      instance: [['BITBUCKET_PARALLEL_STEP']],
      attempt: 'BITBUCKET_STEP_RUN_NUMBER',
    },
    // No variable names the pipeline: there is no suite.
    data: {
      repository: firstOf('BITBUCKET_REPO_FULL_NAME'),
      baseBranch: firstOf('BITBUCKET_PR_DESTINATION_BRANCH'),
      pullRequest: firstOf('BITBUCKET_PR_ID'),
    },
  },
  {
    system: 'Jenkins',
    detectedBy: 'BUILD_TAG',
    // JENKINS_URL is set only if an administrator configured it. BUILD_TAG is the same for `a/b-c` and `a-b/c`.
    id: [['JENKINS_URL'], ['JOB_NAME', 'BUILD_TAG'], ['BUILD_NUMBER']],
    number: 'BUILD_DISPLAY_NAME',
    branch: ['CHANGE_BRANCH', 'BRANCH_NAME', 'GIT_LOCAL_BRANCH', 'GIT_BRANCH'],
    commit: 'GIT_COMMIT',
    url: 'BUILD_URL',
    job: {
      name: [['STAGE_NAME']],
      // Branches of `parallel` may run in one executor one after another. Each block `node` has a cookie of its own.
      instance: [['NODE_NAME', 'EXECUTOR_NUMBER', 'JENKINS_NODE_COOKIE']],
    },
    data: {
      repository: ({ GIT_URL: remote, GIT_URL_1: first }) => toSlug(isSet(remote) ? remote : first),
      baseBranch: firstOf('CHANGE_TARGET'),
      pullRequest: firstOf('CHANGE_ID'),
      // In a multibranch pipeline, the job is named after the pipeline and the branch.
      suite: ({ JOB_NAME: name, BRANCH_NAME: branch }) => (isSet(branch) ? name?.replace(/\/[^/]*$/, '') : name),
    },
  },
]

/** Returns the CI system of this process, if it is a supported one. */
export const findCiSystem = (env: EnvironmentVariables): CiSystem | undefined =>
  systems.find(({ detectedBy }) => isSet(env[detectedBy]))

export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}
