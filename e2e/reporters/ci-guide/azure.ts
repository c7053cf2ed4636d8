import { parse } from 'yaml'

import { type CiSystem, fill, mapValues, type Variables } from './execution.ts'

interface Pipeline {
  readonly variables: Variables
  readonly jobs: readonly Job[]
}

interface Job {
  readonly job: string
  readonly strategy?: { readonly parallel?: number; readonly matrix?: Readonly<Record<string, Variables>> }
  readonly steps: readonly { readonly script: string; readonly env?: Variables }[]
}

/** How Azure names the parallel jobs of a job, and the variables of a leg of a matrix. */
function listParallelJobs({ strategy }: Job): { name: string; type: string; leg: Variables }[] {
  if (strategy?.matrix !== undefined) {
    return Object.entries(strategy.matrix).map(([name, leg]) => ({ name, type: 'MultiConfiguration', leg }))
  }
  if (strategy?.parallel === undefined) return [{ name: '__default', type: 'None', leg: {} }]
  const slices = Array.from({ length: strategy.parallel }, (_, index) => `job${index + 1}`)
  return slices.map((name) => ({ name, type: 'MultiMachine', leg: {} }))
}

const toVariableName = (name: string) => name.replaceAll('.', '_').toUpperCase()

/** https://learn.microsoft.com/azure/devops/pipelines/build/variables */
export const azure: CiSystem = {
  name: 'Azure Pipelines',
  expand(snippet, { checkout, token }) {
    const { variables, jobs } = parse(snippet) as Pipeline
    return jobs.flatMap((job) => {
      const parallelJobs = listParallelJobs(job)
      return parallelJobs.map(({ name, type, leg }, index) => {
        const known: Variables = {
          'Build.BuildId': '4711',
          'Build.BuildNumber': '20261121.3',
          'Build.SourcesDirectory': checkout,
          'System.CollectionUri': 'https://dev.azure.com/fabrikam/',
          'System.TeamProject': 'shop',
          'System.StageName': '__default',
          'System.PhaseName': job.job,
          'System.JobName': name,
          'System.JobAttempt': '1',
          'System.JobPositionInPhase': String(index + 1),
          'System.TotalJobsInPhase': String(parallelJobs.length),
          'System.ParallelExecutionType': type,
          ...variables,
          ...leg,
        }
        const evaluate = (text: string) => fill(text, /\$\(([\w.]+)\)/g, { ...known, SERVICE_TOKEN: token })
        const env = Object.entries(known).map(([variable, value]) => [toVariableName(variable), value])
        return {
          job: job.job,
          env: { ...(Object.fromEntries(env) as Variables), TF_BUILD: 'True' },
          // A secret is no variable of a step that does not name it.
          steps: job.steps.map((step) => ({
            command: evaluate(step.script),
            env: mapValues(step.env ?? {}, evaluate),
          })),
        }
      })
    })
  },
  rerun: () => ({ SYSTEM_JOBATTEMPT: '2' }),
}
