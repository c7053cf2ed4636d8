import { findCiSystem } from './ci-systems.ts'
import { type EnvironmentVariables, readFlag } from './environment.ts'

/** How each CI system keeps a directory after the job. */
const WAYS_TO_KEEP: Readonly<Record<string, string>> = {
  'GitHub Actions':
    'upload it as an artifact (actions/upload-artifact with include-hidden-files: true and if: always())',
  GitLab: 'keep it as an artifact (artifacts: with paths: and when: always)',
  CircleCI: 'keep it as an artifact (store_artifacts with when: always)',
  'Azure Pipelines': 'publish it as a pipeline artifact (PublishPipelineArtifact@1 with condition: always())',
  Buildkite: 'upload it as an artifact (artifact_paths: or buildkite-agent artifact upload)',
  Bitbucket: 'keep it as an artifact (artifacts: in the step, also of failed ones)',
  Jenkins: 'archive it (archiveArtifacts in post { always { … } })',
}

/**
 * Says how to keep what could not be sent: the machine of a CI job may be thrown away.
 * @param directory the spool
 * @param content what would be lost
 * @returns null outside of CI, where the next run sends them
 */
export function describeKeepingSpool(
  directory: string,
  env: EnvironmentVariables,
  content: 'results' | 'files' = 'results',
): string | null {
  const system = findCiSystem(env)?.system
  if (system === undefined && readFlag(env['CI']) !== true) return null
  const way = WAYS_TO_KEEP[system ?? ''] ?? 'keep it as an artifact or in a cache'
  return `This machine may be thrown away after the job, and the ${content} with it: ${way}, and run “caseward replay” where the server is reachable. The directory is ${directory}.`
}
