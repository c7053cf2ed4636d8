import { describe, expect, it } from 'vitest'

import { detectCiBuild } from './ci-build.ts'
import { azure, bitbucket, buildkite, circle, github, gitlab, jenkins } from './ci-environments.test.helper.ts'

describe('detectCiBuild for a parallel job', () => {
  it.each([
    ['GitLab', { ...gitlab, CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }],
    ['CircleCI', { ...circle, CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '4' }],
    ['Azure Pipelines', { ...azure, SYSTEM_JOBPOSITIONINPHASE: '2', SYSTEM_TOTALJOBSINPHASE: '4' }],
    ['Buildkite', { ...buildkite, BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '4' }],
  ])('returns the number of the job in %s, from 1', (_, env) => {
    expect(detectCiBuild(env)).toMatchObject({ shard: '2', shards: 4 })
  })

  it.each([
    ['an index without a count', { ...gitlab, CI_NODE_INDEX: '2', CI_NODE_TOTAL: undefined }],
    ['a count without an index', { ...gitlab, CI_NODE_TOTAL: '4' }],
    ['an index that is not a number', { ...gitlab, CI_NODE_INDEX: 'two', CI_NODE_TOTAL: '4' }],
    ['a negative count', { ...gitlab, CI_NODE_INDEX: '2', CI_NODE_TOTAL: '-4' }],
  ])('returns no shard for %s', (_, env) => {
    expect(detectCiBuild(env)).toMatchObject({ shard: null, shards: null })
  })
})

describe('detectCiBuild for jobs that CI numbers although each runs a whole suite', () => {
  it.each([
    [
      'a leg of a matrix in GitLab',
      { ...gitlab, CI_JOB_NAME: 'unit: [20, linux]', CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' },
    ],
    [
      'a leg of a matrix in Azure Pipelines',
      {
        ...azure,
        SYSTEM_PARALLELEXECUTIONTYPE: 'MultiConfiguration',
        SYSTEM_JOBPOSITIONINPHASE: '2',
        SYSTEM_TOTALJOBSINPHASE: '4',
      },
    ],
    [
      'a step of a parallel group in Bitbucket',
      { ...bitbucket, BITBUCKET_PARALLEL_STEP: '1', BITBUCKET_PARALLEL_STEP_COUNT: '4' },
    ],
  ])('returns no shard for %s', (_, env) => {
    expect(detectCiBuild(env)).toMatchObject({ shard: null, shards: null })
  })
})

describe('the key of detectCiBuild', () => {
  it.each([
    ['GitHub Actions', github, { GITHUB_RUN_ATTEMPT: '2' }],
    ['GitLab', gitlab, { CI_JOB_ID: '51' }],
    ['CircleCI', circle, { CIRCLE_WORKFLOW_ID: 'a0e2f4c6-0000-4000-8000-000000000009', CIRCLE_BUILD_NUM: '311' }],
    ['Azure Pipelines', azure, { SYSTEM_JOBATTEMPT: '2' }],
    ['Buildkite', buildkite, { BUILDKITE_JOB_ID: 'another', BUILDKITE_RETRY_COUNT: '1' }],
    ['Bitbucket', bitbucket, { BITBUCKET_STEP_UUID: '{another}' }],
  ])('is the same when a job is run again in %s', (_, env, changes) => {
    expect(detectCiBuild({ ...env, ...changes })?.key).toBe(detectCiBuild(env)?.key)
  })

  it.each([
    ['GitHub Actions', github, { GITHUB_RUN_ID: '19482736513' }],
    ['GitHub Actions, in another repository', github, { GITHUB_REPOSITORY: 'octo-org/api' }],
    ['GitLab', gitlab, { CI_PIPELINE_ID: '1065' }],
    ['CircleCI', circle, { CIRCLE_WORKFLOW_WORKSPACE_ID: 'a0e2f4c6-0000-4000-8000-000000000003' }],
    ['Azure Pipelines', azure, { BUILD_BUILDID: '4712' }],
    ['Buildkite', buildkite, { BUILDKITE_BUILD_ID: 'another' }],
    ['Bitbucket', bitbucket, { BITBUCKET_BUILD_NUMBER: '89' }],
    ['Bitbucket, in another repository', bitbucket, { BITBUCKET_REPO_FULL_NAME: 'acme/api' }],
    ['Jenkins', jenkins, { BUILD_NUMBER: '16', BUILD_TAG: 'jenkins-shop-main-16' }],
    ['Jenkins, of another job', jenkins, { JOB_NAME: 'shop-main' }],
  ])('differs for another build: %s', (_, env, changes) => {
    expect(detectCiBuild({ ...env, ...changes })?.key).not.toBe(detectCiBuild(env)?.key)
  })
})

describe('detectCiBuild', () => {
  it.each([
    ['GitHub Actions', github, 'GITHUB_RUN_ID'],
    ['GitLab', gitlab, 'CI_PIPELINE_ID'],
    ['CircleCI', circle, 'CIRCLE_WORKFLOW_ID'],
    ['Azure Pipelines', azure, 'BUILD_BUILDID'],
    ['Buildkite', buildkite, 'BUILDKITE_BUILD_ID'],
    ['Bitbucket', bitbucket, 'BITBUCKET_BUILD_NUMBER'],
    ['Jenkins', jenkins, 'BUILD_TAG'],
  ])('returns null when the build id of %s is empty', (_, env, variable) => {
    expect(detectCiBuild({ ...env, [variable]: '' })).toBeNull()
  })

  it('omits empty variables', () => {
    const build = detectCiBuild({ ...github, GITHUB_REF_NAME: '', GITHUB_SHA: '', GITHUB_SERVER_URL: '' })
    expect(build).toMatchObject({ name: 'GitHub Actions 7', metadata: {} })
    expect(Object.keys(build?.metadata ?? {})).toEqual([])
  })

  it.each([
    [
      'Jenkins',
      { ...jenkins, JENKINS_URL: 'https://bot:hunter2@ci.example.com/', BUILD_URL: 'https://bot:hunter2@ci/1/' },
    ],
    ['GitLab', { ...gitlab, CI_PIPELINE_URL: 'https://gitlab-ci-token:hunter2@gitlab.example.com/p/1' }],
    [
      'GitLab, with an @ in the password',
      { ...gitlab, CI_PIPELINE_URL: 'https://bot:p@hunter2@gitlab.example.com/p/1' },
    ],
    ['Bitbucket', { ...bitbucket, BITBUCKET_GIT_HTTP_ORIGIN: 'https://x-token-auth:hunter2@bitbucket.org/acme/shop' }],
  ])('removes user name and password from the URLs of %s', (_, env) => {
    const json = JSON.stringify(detectCiBuild(env))
    expect(json).toContain('"ci_url":"https://')
    expect(json).not.toMatch(/hunter2|bot|token/)
  })
})
