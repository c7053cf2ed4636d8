import { type EnvironmentVariables, readText } from '@caseward/ci-run/environment'

import type { Forge } from './forge.ts'
import { createGithub } from './github.ts'
import { createGitlab } from './gitlab.ts'

/**
 * Finds where the comments of this build's pull request are.
 * @param pullRequest number of the pull request; undefined if the build is of none
 * @returns why there is no comment, otherwise
 */
export function findForge(env: EnvironmentVariables, pullRequest: string | undefined): Forge | string {
  const read = (name: string) => readText(env[name])
  const isGithub = read('GITHUB_ACTIONS') === 'true'
  if (!isGithub && read('GITLAB_CI') !== 'true') return 'comments are for GitHub Actions and GitLab CI.'
  if (pullRequest === undefined) return 'this build is of no pull request.'
  const name = isGithub ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN'
  const token = read(name)
  if (token === null) return `${name} is not set.`
  if (isGithub) {
    const repository = read('GITHUB_REPOSITORY')
    if (repository === null) return 'GITHUB_REPOSITORY is not set.'
    return createGithub({ api: read('GITHUB_API_URL') ?? 'https://api.github.com', token, repository, pullRequest })
  }
  const projectId = read('CI_MERGE_REQUEST_PROJECT_ID') ?? read('CI_PROJECT_ID')
  const api = read('CI_API_V4_URL')
  if (projectId === null || api === null) return 'CI_PROJECT_ID or CI_API_V4_URL is not set.'
  return createGitlab({ api, token, projectId, mergeRequest: pullRequest })
}
