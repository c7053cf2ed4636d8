import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readBuildData } from './build-data.ts'
import { github } from './ci-environments.test.helper.ts'
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

/** Writes an event of GitHub and returns the environment of its job. */
function withEvent(event: unknown, changes: EnvironmentVariables = {}): EnvironmentVariables {
  const path = join(directory, 'event.json')
  writeFileSync(path, typeof event === 'string' ? event : JSON.stringify(event))
  return { ...github, GITHUB_WORKFLOW: 'CI', GITHUB_EVENT_PATH: path, ...changes }
}

const pullRequestEvent = {
  pull_request: { number: 3, head: { sha: HEAD.toUpperCase() }, base: { sha: BASE, ref: 'main' } },
  repository: { default_branch: 'trunk' },
}
const pullRequest = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_HEAD_REF: 'main',
  GITHUB_BASE_REF: 'release/2',
  GITHUB_REF: 'refs/pull/3/merge',
  GITHUB_REF_NAME: '3/merge',
}

describe('readBuildData in GitHub Actions', () => {
  it('reads the repository, default branch and workflow of a push', () => {
    const env = withEvent({ repository: { default_branch: 'trunk' } }, { GITHUB_EVENT_NAME: 'push' })
    expect(read(env)).toEqual({ repository: 'octo-org/shop', default_branch: 'trunk', suite: 'CI' })
  })

  it('reads the head, base branch and number of a pull request, and never its base.sha', () => {
    expect(read(withEvent(pullRequestEvent, pullRequest))).toEqual({
      repository: 'octo-org/shop',
      head_commit: HEAD,
      base_branch: 'release/2',
      pull_request: '3',
      default_branch: 'trunk',
      suite: 'CI',
    })
  })

  it('reads base and pull request of a merge queue', () => {
    const name = `gh-readonly-queue/release/2/pr-104-${BASE}`
    const env = withEvent(
      {
        merge_group: {
          head_sha: HEAD,
          head_ref: `refs/heads/${name}`,
          base_sha: BASE,
          base_ref: 'refs/heads/release/2',
        },
        repository: { default_branch: 'main' },
      },
      { GITHUB_EVENT_NAME: 'merge_group', GITHUB_REF: `refs/heads/${name}`, GITHUB_REF_NAME: name },
    )
    expect(read(env)).toEqual({
      repository: 'octo-org/shop',
      base_branch: 'release/2',
      base_commit: BASE,
      pull_request: '104',
      default_branch: 'main',
      suite: 'CI',
    })
  })

  it('reads the pull request that Trunk merges, not the one that it opens for its test', () => {
    const branch = 'trunk-merge/pr-42/0e1f7c52-0000-4000-8000-000000000001'
    expect(read(withEvent(pullRequestEvent, { ...pullRequest, GITHUB_HEAD_REF: branch }))).toMatchObject({
      base_branch: 'release/2',
      pull_request: '42',
    })
    const push = withEvent({ repository: { default_branch: 'trunk' } }, { GITHUB_REF_NAME: branch })
    expect(read(push)).toMatchObject({ base_branch: 'trunk', pull_request: '42' })
  })

  it.each([
    ['is missing', { GITHUB_EVENT_PATH: '/nowhere/event.json' }],
    ['is no JSON', null],
  ])('reads what the variables say when the event file %s', (_what, changes) => {
    const env = { ...withEvent('{', pullRequest), ...changes }
    expect(read(env)).toEqual({
      repository: 'octo-org/shop',
      base_branch: 'release/2',
      pull_request: '3',
      suite: 'CI',
    })
  })

  it('leaves out values of the wrong form', () => {
    const event = { pull_request: { number: 'x', head: { sha: 'HEAD' } }, repository: { default_branch: {} } }
    expect(read(withEvent(event, { ...pullRequest, GITHUB_REF: 'refs/heads/x' }))).toEqual({
      repository: 'octo-org/shop',
      base_branch: 'release/2',
      suite: 'CI',
    })
  })
})

describe('base_commit of a pull request in GitHub Actions', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim()
  let clone: string
  let base: string
  let merge: string

  beforeAll(() => {
    const origin = join(directory, 'origin')
    clone = join(directory, 'clone')
    git(directory, 'init', '--quiet', '--initial-branch', 'main', origin)
    const commit = (message: string) => git(origin, 'commit', '--quiet', '--allow-empty', '-m', message)
    commit('first')
    git(origin, 'checkout', '--quiet', '-b', 'feature')
    commit('on the branch')
    git(origin, 'checkout', '--quiet', 'main')
    commit('parent 1111111111111111111111111111111111111111')
    base = git(origin, 'rev-parse', 'HEAD')
    git(origin, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'feature')
    merge = git(origin, 'rev-parse', 'HEAD')
    git(directory, 'clone', '--quiet', '--depth', '1', pathToFileURL(origin).href, clone)
  })

  const readIn = (changes: EnvironmentVariables, cwd = clone) =>
    readBuildData(withEvent(pullRequestEvent, { ...pullRequest, GITHUB_SHA: merge, ...changes }), {}, cwd).base_commit

  it('is the first parent of the merge commit in a shallow clone', () => {
    expect(() => git(clone, 'cat-file', '-e', base)).toThrow('cat-file')
    expect(readIn({})).toBe(base)
  })

  it.each([
    ['something else is checked out', () => readIn({ GITHUB_SHA: HEAD })],
    ['the commit is not a merge', () => readIn({ GITHUB_SHA: base }, join(directory, 'single'))],
    ['the event tests the base branch itself', () => readIn({ GITHUB_EVENT_NAME: 'pull_request_target' })],
    ['the directory is no checkout', () => readIn({}, directory)],
    ['the directory does not exist', () => readIn({}, join(directory, 'gone'))],
  ])('is absent when %s', (_what, readCommit) => {
    git(directory, 'clone', '--quiet', '--no-checkout', join(directory, 'origin'), join(directory, 'single'))
    git(join(directory, 'single'), 'update-ref', '--no-deref', 'HEAD', base)
    expect(readCommit()).toBeUndefined()
    rmSync(join(directory, 'single'), { recursive: true })
  })
})
