import { describe, expect, it } from 'vitest'

import { detectCiBuild } from './ci-build.ts'

/* Environments as the systems' own pages of predefined variables describe them. */

const github = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_RUN_ID: '19482736512',
  GITHUB_RUN_NUMBER: '7',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_JOB: 'test',
  GITHUB_REPOSITORY: 'octo-org/shop',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_HEAD_REF: '',
  GITHUB_REF: 'refs/heads/feature/cart',
  GITHUB_REF_NAME: 'feature/cart',
  GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
}
const gitlab = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_PIPELINE_ID: '1064',
  CI_PIPELINE_IID: '12',
  CI_PIPELINE_URL: 'https://gitlab.example.com/shop/web/-/pipelines/1064',
  CI_JOB_ID: '50',
  CI_JOB_NAME: 'test',
  CI_COMMIT_REF_NAME: 'main',
  CI_COMMIT_SHA: '1ecfd275763eff1d6b4844ea3168962458c9f27a',
  CI_NODE_TOTAL: '1',
}
const circle = {
  CI: 'true',
  CIRCLECI: 'true',
  CIRCLE_WORKFLOW_ID: 'a0e2f4c6-0000-4000-8000-000000000002',
  CIRCLE_WORKFLOW_JOB_ID: 'a0e2f4c6-0000-4000-8000-00000000000a',
  CIRCLE_WORKFLOW_WORKSPACE_ID: 'a0e2f4c6-0000-4000-8000-000000000001',
  CIRCLE_BUILD_NUM: '310',
  CIRCLE_BUILD_URL: 'https://circleci.com/gh/shop/web/310',
  CIRCLE_BRANCH: 'main',
  CIRCLE_SHA1: '5b1f9c2',
  CIRCLE_NODE_INDEX: '0',
  CIRCLE_NODE_TOTAL: '1',
}
const azure = {
  TF_BUILD: 'True',
  BUILD_BUILDID: '4711',
  BUILD_BUILDNUMBER: '20261121.3',
  BUILD_SOURCEBRANCH: 'refs/heads/feature/cart',
  BUILD_SOURCEBRANCHNAME: 'cart',
  BUILD_SOURCEVERSION: '0b5d7c1',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/fabrikam/',
  SYSTEM_TEAMPROJECT: 'Web shop',
  SYSTEM_JOBPOSITIONINPHASE: '1',
  SYSTEM_TOTALJOBSINPHASE: '1',
}
const buildkite = {
  CI: 'true',
  BUILDKITE: 'true',
  BUILDKITE_BUILD_ID: '4735ba57-80d0-46e2-8fa0-b28223a86586',
  BUILDKITE_BUILD_NUMBER: '1514',
  BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/1514',
  BUILDKITE_BRANCH: 'main',
  BUILDKITE_COMMIT: '83a20ec058e2fb00e7fa4558c4c6e81e2dcf253d',
  BUILDKITE_JOB_ID: 'e44f9784-e20e-4b93-a21d-f41fd5869db9',
}
const bitbucket = {
  CI: 'true',
  BITBUCKET_BUILD_NUMBER: '88',
  BITBUCKET_REPO_FULL_NAME: 'acme/shop',
  BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/acme/shop',
  BITBUCKET_BRANCH: 'main',
  BITBUCKET_COMMIT: '7f777ed95a19224294949e1b4ce56bbffcb1fe9f',
  BITBUCKET_STEP_UUID: '{e44f9784}',
}
const jenkins = {
  BUILD_TAG: 'jenkins-shop-main-15',
  BUILD_NUMBER: '15',
  BUILD_DISPLAY_NAME: '#15',
  BUILD_URL: 'https://ci.example.com/job/shop/job/main/15/',
  JENKINS_URL: 'https://ci.example.com/',
  JOB_NAME: 'shop/main',
  BRANCH_NAME: 'main',
  GIT_BRANCH: 'origin/main',
  GIT_COMMIT: 'ce9a3c1404e8c91be604088670e93434c4253f03',
}

describe('a build of', () => {
  it('GitHub Actions, upon a push', () => {
    expect(detectCiBuild(github)).toEqual({
      key: 'GitHub Actions octo-org/shop 19482736512',
      name: 'GitHub Actions 7 (feature/cart)',
      metadata: {
        branch: 'feature/cart',
        commit: 'ffac537e6cbbf934b08745a378932722df287a53',
        ci_url: 'https://github.com/octo-org/shop/actions/runs/19482736512',
      },
      shard: null,
      shards: null,
    })
  })

  it('GitHub Actions, upon a pull request', () => {
    const build = detectCiBuild({
      ...github,
      GITHUB_HEAD_REF: 'feature/cart',
      GITHUB_REF: 'refs/pull/3/merge',
      GITHUB_REF_NAME: '3/merge',
    })
    expect(build).toMatchObject({ name: 'GitHub Actions 7 (feature/cart)', metadata: { branch: 'feature/cart' } })
  })

  it('GitLab', () => {
    expect(detectCiBuild(gitlab)).toEqual({
      key: 'GitLab 1064',
      name: 'GitLab 12 (main)',
      metadata: {
        branch: 'main',
        commit: '1ecfd275763eff1d6b4844ea3168962458c9f27a',
        ci_url: 'https://gitlab.example.com/shop/web/-/pipelines/1064',
      },
      shard: null,
      shards: null,
    })
  })

  it('GitLab, of a merge request', () => {
    const mergeRequest = {
      CI_COMMIT_REF_NAME: 'refs/merge-requests/1/head',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature/cart',
    }
    expect(detectCiBuild({ ...gitlab, ...mergeRequest })?.metadata['branch']).toBe('feature/cart')
  })

  it('CircleCI', () => {
    expect(detectCiBuild(circle)).toEqual({
      key: 'CircleCI a0e2f4c6-0000-4000-8000-000000000001',
      name: 'CircleCI 310 (main)',
      metadata: { branch: 'main', commit: '5b1f9c2', ci_url: 'https://circleci.com/gh/shop/web/310' },
      shard: null,
      shards: null,
    })
  })

  it('Azure Pipelines', () => {
    expect(detectCiBuild(azure)).toEqual({
      key: 'Azure Pipelines https://dev.azure.com/fabrikam/ 4711',
      name: 'Azure Pipelines 20261121.3 (feature/cart)',
      metadata: {
        branch: 'feature/cart',
        commit: '0b5d7c1',
        ci_url: 'https://dev.azure.com/fabrikam/Web%20shop/_build/results?buildId=4711',
      },
      shard: null,
      shards: null,
    })
  })

  it('Azure Pipelines, of a pull request', () => {
    const pullRequest = {
      BUILD_SOURCEBRANCH: 'refs/pull/1/merge',
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/users/raisa/new-feature',
    }
    expect(detectCiBuild({ ...azure, ...pullRequest })?.metadata['branch']).toBe('users/raisa/new-feature')
  })

  it('Buildkite', () => {
    expect(detectCiBuild(buildkite)).toEqual({
      key: 'Buildkite 4735ba57-80d0-46e2-8fa0-b28223a86586',
      name: 'Buildkite 1514 (main)',
      metadata: {
        branch: 'main',
        commit: '83a20ec058e2fb00e7fa4558c4c6e81e2dcf253d',
        ci_url: 'https://buildkite.com/acme/shop/builds/1514',
      },
      shard: null,
      shards: null,
    })
  })

  it('Buildkite has no commit as long as that is HEAD', () => {
    expect(detectCiBuild({ ...buildkite, BUILDKITE_COMMIT: 'HEAD' })?.metadata).not.toHaveProperty('commit')
  })

  it('Bitbucket, whose numbers are those of a repository', () => {
    expect(detectCiBuild(bitbucket)).toEqual({
      key: 'Bitbucket acme/shop 88',
      name: 'Bitbucket 88 (main)',
      metadata: {
        branch: 'main',
        commit: '7f777ed95a19224294949e1b4ce56bbffcb1fe9f',
        ci_url: 'https://bitbucket.org/acme/shop/pipelines/results/88',
      },
      shard: null,
      shards: null,
    })
  })

  it('Bitbucket, of a tag', () => {
    expect(detectCiBuild({ ...bitbucket, BITBUCKET_BRANCH: undefined, BITBUCKET_TAG: 'v2' })?.metadata['branch']).toBe(
      'v2',
    )
  })

  it('Jenkins', () => {
    expect(detectCiBuild(jenkins)).toEqual({
      key: 'Jenkins https://ci.example.com/ shop/main 15',
      name: 'Jenkins #15 (main)',
      metadata: {
        branch: 'main',
        commit: 'ce9a3c1404e8c91be604088670e93434c4253f03',
        ci_url: 'https://ci.example.com/job/shop/job/main/15/',
      },
      shard: null,
      shards: null,
    })
  })

  it('Jenkins, of a pull request', () => {
    const pullRequest = { BRANCH_NAME: 'PR-3', CHANGE_BRANCH: 'feature/cart', CHANGE_ID: '3' }
    expect(detectCiBuild({ ...jenkins, ...pullRequest })?.metadata['branch']).toBe('feature/cart')
  })

  it('Jenkins, whose own address nobody has set', () => {
    const { JENKINS_URL: _url, BUILD_URL: _build, BRANCH_NAME: _branch, ...without } = jenkins
    expect(detectCiBuild(without)).toMatchObject({
      key: 'Jenkins shop/main 15',
      metadata: { branch: 'main' },
    })
  })

  it('none of them is none', () => {
    expect(detectCiBuild({ PATH: '/usr/bin', CI: 'true', BUILD_NUMBER: '3', JOB_NAME: 'x' })).toBeNull()
  })
})

describe('a parallel job', () => {
  it.each([
    ['GitLab', { ...gitlab, CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }],
    ['CircleCI', { ...circle, CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '4' }],
    ['Azure Pipelines', { ...azure, SYSTEM_JOBPOSITIONINPHASE: '2', SYSTEM_TOTALJOBSINPHASE: '4' }],
    ['Buildkite', { ...buildkite, BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '4' }],
    ['Bitbucket', { ...bitbucket, BITBUCKET_PARALLEL_STEP: '1', BITBUCKET_PARALLEL_STEP_COUNT: '4' }],
  ])('of %s is counted from one', (_system, env) => {
    expect(detectCiBuild(env)).toMatchObject({ shard: '2', shards: 4 })
  })

  it.each([
    ['an index without a count', { ...gitlab, CI_NODE_INDEX: '2', CI_NODE_TOTAL: undefined }],
    ['a count without an index', { ...gitlab, CI_NODE_TOTAL: '4' }],
    ['an index that is no number', { ...gitlab, CI_NODE_INDEX: 'two', CI_NODE_TOTAL: '4' }],
    ['a negative count', { ...gitlab, CI_NODE_INDEX: '2', CI_NODE_TOTAL: '-4' }],
  ])('is not what has %s', (_what, env) => {
    expect(detectCiBuild(env)).toMatchObject({ shard: null, shards: null })
  })
})

describe('a job that is run again', () => {
  it.each([
    ['GitHub Actions', github, { GITHUB_RUN_ATTEMPT: '2' }],
    ['GitLab', gitlab, { CI_JOB_ID: '51' }],
    ['CircleCI', circle, { CIRCLE_WORKFLOW_ID: 'a0e2f4c6-0000-4000-8000-000000000009', CIRCLE_BUILD_NUM: '311' }],
    ['Azure Pipelines', azure, { SYSTEM_JOBATTEMPT: '2' }],
    ['Buildkite', buildkite, { BUILDKITE_JOB_ID: 'another', BUILDKITE_RETRY_COUNT: '1' }],
    ['Bitbucket', bitbucket, { BITBUCKET_STEP_UUID: '{another}' }],
  ])('has the same key: %s', (_system, env, again) => {
    expect(detectCiBuild({ ...env, ...again })?.key).toBe(detectCiBuild(env)?.key)
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
  ])('has another key than another build: %s', (_system, env, other) => {
    expect(detectCiBuild({ ...env, ...other })?.key).not.toBe(detectCiBuild(env)?.key)
  })
})

describe('what a build tells', () => {
  it.each([
    ['GitHub Actions', github, 'GITHUB_RUN_ID'],
    ['GitLab', gitlab, 'CI_PIPELINE_ID'],
    ['CircleCI', circle, 'CIRCLE_WORKFLOW_ID'],
    ['Azure Pipelines', azure, 'BUILD_BUILDID'],
    ['Buildkite', buildkite, 'BUILDKITE_BUILD_ID'],
    ['Bitbucket', bitbucket, 'BITBUCKET_BUILD_NUMBER'],
    ['Jenkins', jenkins, 'BUILD_TAG'],
  ])('is nothing where the id of %s is empty', (_system, env, variable) => {
    expect(detectCiBuild({ ...env, [variable]: '' })).toBeNull()
  })

  it('leaves out what is empty', () => {
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
    ['a password with an @ in it', { ...gitlab, CI_PIPELINE_URL: 'https://bot:p@hunter2@gitlab.example.com/p/1' }],
    ['Bitbucket', { ...bitbucket, BITBUCKET_GIT_HTTP_ORIGIN: 'https://x-token-auth:hunter2@bitbucket.org/acme/shop' }],
  ])('never holds a password that stands in an address: %s', (_system, env) => {
    const said = JSON.stringify(detectCiBuild(env))
    expect(said).toContain('"ci_url":"https://')
    expect(said).not.toMatch(/hunter2|bot|token/)
  })
})
