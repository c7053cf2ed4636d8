import { parse } from 'yaml'

import { type CiSystem, getProjectVariables, mapValues, type Variables } from './execution.ts'

interface Pipeline {
  readonly env: Variables
  readonly steps: readonly Step[]
}

interface Step {
  readonly key: string
  readonly matrix?: readonly string[]
  readonly parallelism?: number
  readonly env?: Variables
  readonly commands: readonly string[]
}

const toJobId = (number: number) => `e44f97${String(number).padStart(2, '0')}-e20e-4b93-a21d-f41fd5869db9`

/** https://buildkite.com/docs/pipelines/configure/environment-variables */
export const buildkite: CiSystem = {
  name: 'Buildkite',
  expand(snippet, build) {
    // The agent replaces variables when it uploads the pipeline: what is for the shell has two dollar signs.
    const single = snippet.replaceAll('$$', '').match(/\$\w+/)
    if (single !== null) throw new Error(`Buildkite replaces ${single[0]} before the job runs.`)
    const { env, steps } = parse(snippet.replaceAll('$$', '$')) as Pipeline
    let jobCount = 0
    return steps.flatMap((step) =>
      (step.matrix ?? ['']).flatMap((leg) =>
        Array.from({ length: step.parallelism ?? 1 }, (_, index) => {
          const evaluate = (text: string) => text.replaceAll('{{matrix}}', leg)
          const isParallel = step.parallelism !== undefined
          jobCount += 1
          return {
            job: step.key,
            env: {
              CI: 'true',
              BUILDKITE: 'true',
              BUILDKITE_BUILD_ID: '4735ba57-80d0-46e2-8fa0-b28223a86586',
              BUILDKITE_BUILD_NUMBER: '1514',
              BUILDKITE_BUILD_CHECKOUT_PATH: build.checkout,
              BUILDKITE_STEP_KEY: step.key,
              BUILDKITE_JOB_ID: toJobId(jobCount),
              BUILDKITE_RETRY_COUNT: '0',
              ...(isParallel
                ? {
                    BUILDKITE_PARALLEL_JOB: String(index),
                    BUILDKITE_PARALLEL_JOB_COUNT: String(step.parallelism),
                  }
                : {}),
              ...getProjectVariables(build),
              ...mapValues({ ...env, ...step.env }, evaluate),
            },
            // One script, which ends with the first command that fails.
            steps: [{ command: step.commands.map(evaluate).join('\n') }],
          }
        }),
      ),
    )
  },
  rerun: () => ({ BUILDKITE_RETRY_COUNT: '1', BUILDKITE_JOB_ID: toJobId(99) }),
}
