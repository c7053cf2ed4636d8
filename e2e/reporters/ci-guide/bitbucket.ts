import { parse } from 'yaml'

import { type CiSystem, getProjectVariables } from './execution.ts'

interface Pipelines {
  readonly pipelines: { readonly default: readonly (Group | { readonly step: Step })[] }
}

interface Group {
  readonly parallel: readonly { readonly step: Step }[]
}

interface Step {
  readonly name: string
  readonly script: readonly string[]
}

/** https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets */
export const bitbucket: CiSystem = {
  name: 'Bitbucket Pipelines',
  expand(snippet, build) {
    const { pipelines } = parse(snippet) as Pipelines
    let stepCount = 0
    return pipelines.default.flatMap((entry) => {
      const steps = 'parallel' in entry ? entry.parallel : [entry]
      return steps.map(({ step: { name, script } }, index) => ({
        // The snippet has names such as `browser 1/2`.
        job: name.split(/\W/)[0] ?? '',
        env: {
          CI: 'true',
          BITBUCKET_BUILD_NUMBER: '88',
          BITBUCKET_REPO_FULL_NAME: 'shop/web',
          BITBUCKET_CLONE_DIR: build.checkout,
          BITBUCKET_STEP_UUID: `{e44f9784-0000-4000-8000-00000000000${(stepCount += 1)}}`,
          BITBUCKET_STEP_RUN_NUMBER: '1',
          ...('parallel' in entry
            ? { BITBUCKET_PARALLEL_STEP: String(index), BITBUCKET_PARALLEL_STEP_COUNT: String(steps.length) }
            : {}),
          ...getProjectVariables(build),
        },
        // One shell runs the whole script, so that exported variables stay.
        steps: [{ command: script.join('\n') }],
      }))
    })
  },
  rerun: () => ({ BITBUCKET_STEP_RUN_NUMBER: '2' }),
}
