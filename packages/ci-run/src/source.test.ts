import { describe, expect, it } from 'vitest'

import { azure, bitbucket, buildkite, circle, github, gitlab, jenkins } from './ci-environments.test.helper.ts'
import { readSource, toSourceFields } from './source.ts'

/** The second of four parallel jobs in GitLab. */
const second = { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }
/** The same in Azure Pipelines. */
const secondInAzure = { SYSTEM_JOBPOSITIONINPHASE: '2', SYSTEM_TOTALJOBSINPHASE: '4' }

const machine = { platform: 'linux', arch: 'x64', nodeVersion: 'v20.19.0' }

describe('readSource', () => {
  it.each([
    [
      'GitHub Actions',
      { ...github, GITHUB_WORKFLOW: 'CI', RUNNER_NAME: 'GitHub Actions 12', GITHUB_RUN_ATTEMPT: '2' },
      { job: 'CI / test', instance: 'GitHub Actions 12', buildAttempt: 2 },
    ],
    [
      'GitLab',
      { ...gitlab, CI_JOB_NAME: 'unit 2/4', ...second, CI_JOB_URL: 'https://gitlab.example.com/-/jobs/50' },
      { job: 'unit', instance: '2', buildAttempt: 50, jobUrl: 'https://gitlab.example.com/-/jobs/50' },
    ],
    [
      'CircleCI',
      { ...circle, CIRCLE_JOB: 'unit' },
      { job: 'unit', instance: '0', buildAttempt: 310, jobUrl: circle.CIRCLE_BUILD_URL },
    ],
    [
      'Azure Pipelines',
      {
        ...azure,
        SYSTEM_STAGENAME: 'Test',
        SYSTEM_PHASENAME: 'Unit',
        SYSTEM_JOBNAME: 'windows',
        SYSTEM_JOBATTEMPT: '3',
      },
      { job: 'Test / Unit / windows', instance: '1', buildAttempt: 3 },
    ],
    [
      'Buildkite',
      { ...buildkite, BUILDKITE_STEP_KEY: '', BUILDKITE_LABEL: 'Unit', BUILDKITE_RETRY_COUNT: '0' },
      {
        job: 'Unit',
        instance: 'e44f9784-e20e',
        buildAttempt: 1,
        jobUrl: `${buildkite.BUILDKITE_BUILD_URL}#${buildkite.BUILDKITE_JOB_ID}`,
      },
    ],
    [
      'Bitbucket',
      { ...bitbucket, BITBUCKET_PARALLEL_STEP: '1', BITBUCKET_STEP_RUN_NUMBER: '2' },
      { job: '{e44f9784}', instance: '1', buildAttempt: 2 },
    ],
    [
      'Jenkins',
      { ...jenkins, STAGE_NAME: 'Unit', NODE_NAME: 'agent-1', EXECUTOR_NUMBER: '0' },
      { job: 'Unit', instance: 'agent-1 / 0', buildAttempt: null },
    ],
    ['no CI system', {}, { job: '', instance: '', buildAttempt: null, variant: '', jobUrl: '' }],
  ])('returns job, instance and build attempt of %s', (_system, env, expected) => {
    expect(readSource(env, machine)).toMatchObject(expected)
  })

  it.each([
    ['the shards of a job in GitLab', { ...gitlab, ...second, CI_JOB_NAME: 'unit 2/4' }, 'unit'],
    [
      'the shards of a job in Azure Pipelines',
      { ...azure, ...secondInAzure, SYSTEM_PHASENAME: 'Unit', SYSTEM_JOBNAME: 'job2' },
      'Unit',
    ],
    ['nothing else: a job of a group in GitLab', { ...gitlab, CI_JOB_NAME: 'unit 2/4' }, 'unit 2/4'],
    ['nothing else: a leg of a matrix in GitLab', { ...gitlab, ...second, CI_JOB_NAME: 'unit: [20]' }, 'unit: [20]'],
    [
      'nothing else: a leg of a matrix in Azure Pipelines',
      { ...azure, ...secondInAzure, SYSTEM_PARALLELEXECUTIONTYPE: 'MultiConfiguration', SYSTEM_JOBNAME: 'job2' },
      'job2',
    ],
  ])('gives one job name to %s', (_, env, job) => {
    expect(readSource(env, machine).job).toBe(job)
  })

  it.each([
    [
      'legs of a matrix in GitHub Actions, which one runner takes one after another',
      { ...github, RUNNER_NAME: 'runner', RUNNER_TRACKING_ID: 'github_1f3d9475-6c94-40ee-a160-8b3fd282c3a1' },
      { RUNNER_TRACKING_ID: 'github_2aa0c6e1-6c94-40ee-a160-8b3fd282c3a1' },
      'runner / 1f3d9475-6c94',
    ],
    [
      'legs of a matrix in Buildkite, which have one key',
      { ...buildkite, BUILDKITE_STEP_KEY: 'unit' },
      { BUILDKITE_JOB_ID: '2aa0c6e1-e20e-4b93-a21d-f41fd5869db9' },
      'e44f9784-e20e',
    ],
    [
      'branches in Jenkins, which run in one executor one after another',
      {
        ...jenkins,
        NODE_NAME: 'agent-1',
        EXECUTOR_NUMBER: '0',
        JENKINS_NODE_COOKIE: '5b3c81d0-6c94-40ee-a160-8b3fd282c3a1',
      },
      { JENKINS_NODE_COOKIE: '2aa0c6e1-6c94-40ee-a160-8b3fd282c3a1' },
      'agent-1 / 0 / 5b3c81d0-6c94',
    ],
  ])('tells %s apart', (_what, env, changes, instance) => {
    const other = readSource({ ...env, ...changes }, machine)
    expect(readSource(env, machine).instance).toBe(instance)
    expect(other).toEqual({ ...readSource(env, machine), instance: other.instance, jobUrl: other.jobUrl })
    expect(other.instance).not.toBe(instance)
  })

  it('prefers the SERVICE variables, and the option to the variable', () => {
    const env = { SERVICE_JOB: 'e2e', SERVICE_INSTANCE: '7', SERVICE_BUILD_ATTEMPT: '4', SERVICE_VARIANT: 'node 18' }
    const source = readSource({ ...github, ...env }, machine)
    expect(source).toMatchObject({ job: 'e2e', instance: '7', buildAttempt: 4, variant: 'node 18' })
    expect(readSource(env, machine, 'windows').variant).toBe('windows')
  })

  it.each([
    ['the machine', {}, 'linux x64, Node 20'],
    ['GitHub Actions', { RUNNER_OS: 'Windows', RUNNER_ARCH: 'X64' }, 'Windows X64, Node 20'],
    ['Azure Pipelines', { AGENT_OS: 'Darwin', AGENT_OSARCHITECTURE: 'ARM64' }, 'Darwin ARM64, Node 20'],
  ])('returns where the tests run as %s says', (_what, env, label) => {
    expect(readSource(env, machine).label).toBe(label)
  })

  it.each(['0', '-1', 'two', '99999999999999999999', '1.5'])('ignores the build attempt %j', (value) => {
    expect(readSource({ ...github, GITHUB_RUN_ATTEMPT: value }, machine).buildAttempt).toBeNull()
  })

  it('removes user name and password from the page of the job', () => {
    const env = { ...gitlab, CI_JOB_URL: 'https://bot:hunter2@gitlab.example.com/-/jobs/1' }
    expect(readSource(env, machine).jobUrl).toBe('https://gitlab.example.com/-/jobs/1')
  })
})

describe('toSourceFields', () => {
  it('leaves out what is unknown', () => {
    expect(toSourceFields(readSource({}, machine))).toEqual({ label: 'linux x64, Node 20' })
    expect(toSourceFields(readSource({ ...github, GITHUB_WORKFLOW: 'CI' }, machine))).toEqual({
      job: 'CI / test',
      build_attempt: 1,
      label: 'linux x64, Node 20',
    })
  })
})
