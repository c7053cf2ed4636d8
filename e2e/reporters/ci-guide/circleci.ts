import { parse } from 'yaml'

import { type CiSystem, combine, fill, getProjectVariables, mapValues, type Variables } from './execution.ts'

interface Config {
  readonly jobs: Readonly<Record<string, Job>>
  readonly workflows: Readonly<Record<string, { readonly jobs: readonly (string | WorkflowJob)[] }>>
}

interface Job {
  readonly parallelism?: number
  readonly environment?: Variables
  readonly steps: readonly ('checkout' | { readonly run: string })[]
}

type WorkflowJob = Readonly<
  Record<string, { readonly matrix?: { readonly parameters: Readonly<Record<string, readonly unknown[]>> } }>
>

/** https://circleci.com/docs/variables, https://circleci.com/docs/using-matrix-jobs */
export const circleci: CiSystem = {
  name: 'CircleCI',
  expand(snippet, build) {
    const { jobs, workflows } = parse(snippet) as Config
    const listed = Object.values(workflows).flatMap((workflow) => workflow.jobs)
    const legs = listed.flatMap((entry): { id: string; leg: Variables }[] => {
      if (typeof entry === 'string') return [{ id: entry, leg: {} }]
      return Object.entries(entry).flatMap(([id, { matrix }]) =>
        combine(matrix?.parameters ?? {}).map((leg) => ({ id, leg })),
      )
    })
    return legs.flatMap(({ id, leg }, number) => {
      const job = jobs[id]
      if (job === undefined) throw new Error(`The workflow has the job ${id}, which is not defined.`)
      const evaluate = (text: string) => fill(text, /<< parameters\.(\w+) >>/g, leg)
      return Array.from({ length: job.parallelism ?? 1 }, (_, index) => ({
        job: id,
        env: {
          CI: 'true',
          CIRCLECI: 'true',
          CIRCLE_WORKFLOW_ID: 'a0e2f4c6-0000-4000-8000-000000000002',
          CIRCLE_WORKFLOW_WORKSPACE_ID: 'a0e2f4c6-0000-4000-8000-000000000001',
          CIRCLE_WORKING_DIRECTORY: build.checkout,
          CIRCLE_JOB: [id, ...Object.values(leg)].join('-'),
          // The parallel executions of a job have the same number.
          CIRCLE_BUILD_NUM: String(310 + number),
          CIRCLE_NODE_INDEX: String(index),
          CIRCLE_NODE_TOTAL: String(job.parallelism ?? 1),
          ...getProjectVariables(build),
          ...mapValues(job.environment ?? {}, evaluate),
        },
        steps: job.steps.flatMap((step) => (step === 'checkout' ? [] : [{ command: evaluate(step.run) }])),
      }))
    })
  },
  rerun: () => ({ CIRCLE_WORKFLOW_ID: 'a0e2f4c6-0000-4000-8000-000000000003', CIRCLE_BUILD_NUM: '400' }),
}
