import { parse } from 'yaml'

import { type CiSystem, combine, fill, getProjectVariables, mapValues, type Variables } from './execution.ts'

interface Job {
  readonly parallel?: number | { readonly matrix: readonly Readonly<Record<string, readonly unknown[]>>[] }
  readonly variables?: Variables
  readonly script: readonly string[]
  readonly after_script?: readonly string[]
}

/** The parallel jobs of a job: how GitLab names them, and the variables of a leg of a matrix. */
function listParallelJobs(name: string, parallel: Job['parallel']): { name: string; leg: Variables }[] {
  if (parallel === undefined) return [{ name, leg: {} }]
  if (typeof parallel === 'number') {
    return Array.from({ length: parallel }, (_, index) => ({ name: `${name} ${index + 1}/${parallel}`, leg: {} }))
  }
  return parallel.matrix
    .flatMap((axes) => combine(axes))
    .map((leg) => ({ name: `${name}: [${Object.values(leg).join(', ')}]`, leg }))
}

/** https://docs.gitlab.com/ci/variables/predefined_variables and https://docs.gitlab.com/ci/yaml/#parallelmatrix */
export const gitlab: CiSystem = {
  name: 'GitLab CI',
  expand(snippet, build) {
    const { variables, ...jobs } = parse(snippet) as { variables: Variables }
    let jobId = 1000
    return Object.entries(jobs as Readonly<Record<string, Job>>).flatMap(([id, job]) => {
      const parallelJobs = listParallelJobs(id, job.parallel)
      return parallelJobs.map(({ name, leg }, index) => {
        jobId += 1
        const env: Variables = {
          CI: 'true',
          GITLAB_CI: 'true',
          CI_PIPELINE_ID: '1064',
          CI_PIPELINE_IID: '12',
          CI_PROJECT_DIR: build.checkout,
          CI_JOB_ID: String(jobId),
          CI_JOB_NAME: name,
          CI_NODE_TOTAL: String(parallelJobs.length),
          ...(job.parallel === undefined ? {} : { CI_NODE_INDEX: String(index + 1) }),
          ...getProjectVariables(build),
          ...variables,
          ...leg,
        }
        return {
          job: id,
          env: { ...env, ...mapValues(job.variables ?? {}, (text) => fill(text, /\$(\w+)/g, env)) },
          steps: [
            ...job.script.map((command) => ({ command })),
            ...(job.after_script ?? []).map((command) => ({ command, isAlwaysRun: true })),
          ],
        }
      })
    })
  },
  rerun: () => ({ CI_JOB_ID: '2000' }),
}
