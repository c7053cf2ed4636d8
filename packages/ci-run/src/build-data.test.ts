import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readBuildData } from './build-data.ts'
import { azure, bitbucket, buildkite, circle, gitlab, jenkins } from './ci-environments.test.helper.ts'
import type { EnvironmentVariables } from './environment.ts'

const HEAD = 'a1d2e3f4a5b6c7d8e9f00112233445566778899a'
const BASE = '5f0c1d2e3f4a5b6c7d8e9f001122334455667788'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'caseward-build-data-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Reads the data of a build outside of any checkout. */
const read = (env: EnvironmentVariables, options = {}) => readBuildData(env, options, directory)

const mergeRequest = {
  ...gitlab,
  CI_PROJECT_PATH: 'shop/web',
  CI_DEFAULT_BRANCH: 'main',
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_MERGE_REQUEST_IID: '12',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'release/2',
  CI_MERGE_REQUEST_DIFF_BASE_SHA: 'c0ffee1',
}

describe('readBuildData', () => {
  it.each<[string, EnvironmentVariables, object]>([
    [
      'a branch pipeline of GitLab',
      { ...gitlab, CI_PROJECT_PATH: 'shop/web', CI_DEFAULT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'push' },
      { repository: 'shop/web', default_branch: 'main' },
    ],
    ['a schedule of GitLab', { ...gitlab, CI_PIPELINE_SOURCE: 'schedule' }, { suite: 'schedule' }],
    [
      'a schedule of GitLab with a name',
      { ...gitlab, CI_PIPELINE_SOURCE: 'schedule', CI_PIPELINE_NAME: 'Nightly' },
      { suite: 'Nightly' },
    ],
    [
      'a merge request of GitLab',
      mergeRequest,
      {
        repository: 'shop/web',
        base_branch: 'release/2',
        base_commit: 'c0ffee1',
        pull_request: '12',
        default_branch: 'main',
      },
    ],
    [
      'a merge train of GitLab',
      {
        ...mergeRequest,
        CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train',
        CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
        CI_MERGE_REQUEST_TARGET_BRANCH_SHA: BASE,
      },
      {
        repository: 'shop/web',
        head_commit: HEAD,
        base_branch: 'release/2',
        base_commit: BASE,
        pull_request: '12',
        default_branch: 'main',
      },
    ],
    [
      'a pull request of CircleCI',
      {
        ...circle,
        CIRCLE_PROJECT_USERNAME: 'shop',
        CIRCLE_PROJECT_REPONAME: 'web',
        CIRCLE_PULL_REQUEST: 'https://github.com/shop/web/pull/81',
      },
      { repository: 'shop/web', pull_request: '81' },
    ],
    [
      'a merge queue of GitHub in CircleCI',
      {
        ...circle,
        CIRCLE_REPOSITORY_URL: 'git@github.com:shop/web.git',
        CIRCLE_BRANCH: `gh-readonly-queue/main/pr-7-${BASE}`,
      },
      { repository: 'shop/web', base_branch: 'main', pull_request: '7' },
    ],
    [
      'a pull request of Azure Pipelines',
      {
        ...azure,
        BUILD_REPOSITORY_NAME: 'shop/web',
        BUILD_DEFINITIONNAME: 'Web CI',
        SYSTEM_PULLREQUEST_PULLREQUESTID: '900123',
        SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '17',
        SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
      },
      { repository: 'shop/web', base_branch: 'main', pull_request: '17', suite: 'Web CI' },
    ],
    [
      'a pull request of Azure Repos',
      { ...azure, SYSTEM_PULLREQUEST_PULLREQUESTID: '9', SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '$(System.Number)' },
      { pull_request: '9' },
    ],
    [
      'a pull request of Buildkite',
      {
        ...buildkite,
        BUILDKITE_REPO: 'https://x-token:hunter2@github.com/acme/shop.git',
        BUILDKITE_PIPELINE_SLUG: 'shop-tests',
        BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
        BUILDKITE_PULL_REQUEST: '5',
        BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'release/2',
      },
      {
        repository: 'acme/shop',
        base_branch: 'release/2',
        pull_request: '5',
        default_branch: 'main',
        suite: 'shop-tests',
      },
    ],
    [
      'a branch build of Buildkite',
      {
        ...buildkite,
        BUILDKITE_REPO: 'ssh://git@example.com:7999/acme/shop.git',
        BUILDKITE_PULL_REQUEST: 'false',
        BUILDKITE_PULL_REQUEST_BASE_BRANCH: '',
      },
      { repository: 'acme/shop' },
    ],
    [
      'a pull request of Bitbucket',
      { ...bitbucket, BITBUCKET_PR_ID: '6', BITBUCKET_PR_DESTINATION_BRANCH: 'main' },
      { repository: 'acme/shop', base_branch: 'main', pull_request: '6' },
    ],
    [
      'a pull request in a multibranch pipeline of Jenkins',
      {
        ...jenkins,
        JOB_NAME: 'folder/shop/PR-3',
        BRANCH_NAME: 'PR-3',
        CHANGE_ID: '3',
        CHANGE_TARGET: 'main',
        GIT_URL: 'https://git.example.com/acme/shop.git',
      },
      { repository: 'acme/shop', base_branch: 'main', pull_request: '3', suite: 'folder/shop' },
    ],
    [
      'a pipeline of Jenkins without branches',
      { ...jenkins, JOB_NAME: 'folder/nightly', BRANCH_NAME: undefined },
      { suite: 'folder/nightly' },
    ],
    ['a laptop', { PATH: '/usr/bin' }, {}],
  ])('reads the data of %s', (_what, env, data) => {
    expect(read(env)).toEqual(data)
  })

  it('reads target and suite of users, options before variables, also outside of CI', () => {
    const env = { SERVICE_TARGET: '2.4.0', SERVICE_SUITE: 'nightly' }
    expect(read(env)).toEqual({ target: '2.4.0', suite: 'nightly' })
    expect(read({ ...azure, BUILD_DEFINITIONNAME: 'CI', ...env }, { target: '2.4.1' })).toEqual({
      target: '2.4.1',
      suite: 'nightly',
    })
  })

  it('cuts texts at the length that the server takes', () => {
    const data = read({ SERVICE_SUITE: 'ä'.repeat(101), SERVICE_TARGET: 'x'.repeat(256) })
    expect([data.suite?.length, data.target?.length]).toEqual([100, 255])
  })
})
