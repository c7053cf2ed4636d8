import { describe, expect, it } from 'vitest'

import { describeKeepingSpool } from './keep-spool.ts'

const describeIn = (env: Record<string, string>) => describeKeepingSpool('/ci/shop/.caseward/spool', env)

describe('describeKeepingSpool', () => {
  it.each([
    [{ GITHUB_RUN_ID: '1' }, 'actions/upload-artifact'],
    [{ CI_PIPELINE_ID: '1' }, 'artifacts:'],
    [{ CIRCLE_WORKFLOW_ID: '1' }, 'store_artifacts'],
    [{ BUILD_BUILDID: '1' }, 'PublishPipelineArtifact'],
    [{ BUILDKITE_BUILD_ID: '1' }, 'artifact_paths'],
    [{ BITBUCKET_BUILD_NUMBER: '1' }, 'artifacts:'],
    [{ BUILD_TAG: 'x' }, 'archiveArtifacts'],
    [{ CI: 'true' }, 'artifact or in a cache'],
  ])('names for %j the way of the CI system, the directory and the command', (env, way) => {
    const text = describeIn(env)
    for (const part of [way, '/ci/shop/.caseward/spool', 'caseward replay']) expect(text).toContain(part)
  })

  it.each([{}, { CI: 'false' }])('returns null outside of CI: %j', (env) => {
    expect(describeIn(env)).toBeNull()
  })
})
