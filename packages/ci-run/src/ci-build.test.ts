import { describe, expect, it } from 'vitest'

import { detectCiBuild } from './ci-build.ts'
import { azure, bitbucket, buildkite, circle, github, gitlab, jenkins } from './ci-environments.test.helper.ts'

describe('detectCiBuild', () => {
  it('detects a push build of GitHub Actions', () => {
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

  it('uses the source branch of a pull request in GitHub Actions', () => {
    const build = detectCiBuild({
      ...github,
      GITHUB_HEAD_REF: 'feature/cart',
      GITHUB_REF: 'refs/pull/3/merge',
      GITHUB_REF_NAME: '3/merge',
    })
    expect(build).toMatchObject({ name: 'GitHub Actions 7 (feature/cart)', metadata: { branch: 'feature/cart' } })
  })

  it('detects a pipeline of GitLab', () => {
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

  it('uses the source branch of a merge request in GitLab', () => {
    const mergeRequest = {
      CI_COMMIT_REF_NAME: 'refs/merge-requests/1/head',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature/cart',
    }
    expect(detectCiBuild({ ...gitlab, ...mergeRequest })?.metadata['branch']).toBe('feature/cart')
  })

  it('detects a workflow of CircleCI', () => {
    expect(detectCiBuild(circle)).toEqual({
      key: 'CircleCI a0e2f4c6-0000-4000-8000-000000000001',
      name: 'CircleCI 310 (main)',
      metadata: { branch: 'main', commit: '5b1f9c2', ci_url: 'https://circleci.com/gh/shop/web/310' },
      shard: null,
      shards: null,
    })
  })

  it('detects a build of Azure Pipelines', () => {
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

  it('uses the source branch of a pull request in Azure Pipelines', () => {
    const pullRequest = {
      BUILD_SOURCEBRANCH: 'refs/pull/1/merge',
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/users/raisa/new-feature',
    }
    expect(detectCiBuild({ ...azure, ...pullRequest })?.metadata['branch']).toBe('users/raisa/new-feature')
  })

  it('detects a build of Buildkite', () => {
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

  it('returns no commit while Buildkite has not resolved HEAD', () => {
    expect(detectCiBuild({ ...buildkite, BUILDKITE_COMMIT: 'HEAD' })?.metadata).not.toHaveProperty('commit')
  })

  it('detects a build of Bitbucket, with the repository in its key', () => {
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

  it('uses the tag of a tag build in Bitbucket', () => {
    expect(detectCiBuild({ ...bitbucket, BITBUCKET_BRANCH: undefined, BITBUCKET_TAG: 'v2' })?.metadata['branch']).toBe(
      'v2',
    )
  })

  it('detects a build of Jenkins', () => {
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

  it('uses the source branch of a pull request in Jenkins', () => {
    const pullRequest = { BRANCH_NAME: 'PR-3', CHANGE_BRANCH: 'feature/cart', CHANGE_ID: '3' }
    expect(detectCiBuild({ ...jenkins, ...pullRequest })?.metadata['branch']).toBe('feature/cart')
  })

  it('detects a build of Jenkins without a configured Jenkins URL', () => {
    const { JENKINS_URL: _url, BUILD_URL: _build, BRANCH_NAME: _branch, ...withoutUrls } = jenkins
    expect(detectCiBuild(withoutUrls)).toMatchObject({
      key: 'Jenkins shop/main 15',
      metadata: { branch: 'main' },
    })
  })

  it('returns null outside of the supported CI systems', () => {
    expect(detectCiBuild({ PATH: '/usr/bin', CI: 'true', BUILD_NUMBER: '3', JOB_NAME: 'x' })).toBeNull()
  })
})
