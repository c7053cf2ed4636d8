import { parse } from 'yaml'

import { type CiSystem, combine, fill, mapValues, type Variables } from './execution.ts'

interface Workflow {
  readonly env: Variables
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly 'runs-on': string
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly env?: Variables
  readonly steps: readonly {
    readonly uses?: string
    readonly run?: string
    readonly if?: string
    readonly 'continue-on-error'?: boolean
  }[]
}

/** Actions of GitHub, which cannot be executed here. They prepare the machine, and set no variable that matters. */
const KNOWN_ACTIONS = ['actions/checkout', 'actions/setup-node']

const toTrackingId = (number: number) => `github_1f3d94${String(number).padStart(2, '0')}-6c94-40ee-a160-8b3fd282c3a1`

/** https://docs.github.com/en/actions/reference/variables-reference */
export const github: CiSystem = {
  name: 'GitHub Actions',
  expand(snippet, { checkout, token }) {
    const { env, jobs } = parse(snippet) as Workflow
    let runnerCount = 0
    return Object.entries(jobs).flatMap(([id, job]) =>
      combine(job.strategy?.matrix ?? {}).map((leg) => {
        const values = Object.entries(leg).map(([axis, value]) => [`matrix.${axis}`, value])
        const context = { ...(Object.fromEntries(values) as Variables), 'secrets.SERVICE_TOKEN': token }
        const evaluate = (text: string) => fill(text, /\$\{\{ (.*?) \}\}/g, context)
        runnerCount += 1
        return {
          job: id,
          env: {
            CI: 'true',
            GITHUB_ACTIONS: 'true',
            GITHUB_RUN_ID: '42',
            GITHUB_RUN_NUMBER: '7',
            GITHUB_RUN_ATTEMPT: '1',
            GITHUB_REPOSITORY: 'shop/web',
            GITHUB_WORKFLOW: 'CI',
            GITHUB_JOB: id,
            GITHUB_WORKSPACE: checkout,
            RUNNER_NAME: `GitHub Actions ${runnerCount}`,
            RUNNER_TRACKING_ID: toTrackingId(runnerCount),
            RUNNER_OS: evaluate(job['runs-on']).startsWith('windows') ? 'Windows' : 'Linux',
            RUNNER_ARCH: 'X64',
            ...mapValues({ ...env, ...job.env }, evaluate),
          },
          steps: job.steps.flatMap(({ uses, run, if: condition, 'continue-on-error': mayFail }) => {
            if (run !== undefined) return [{ command: evaluate(run), isAlwaysRun: condition === 'always()', mayFail }]
            if (!KNOWN_ACTIONS.some((action) => uses?.startsWith(`${action}@`))) throw new Error(`Unknown: ${uses}`)
            return []
          }),
        }
      }),
    )
  },
  // Any runner takes the job.
  rerun: () => ({ GITHUB_RUN_ATTEMPT: '2', RUNNER_NAME: 'GitHub Actions 99', RUNNER_TRACKING_ID: toTrackingId(99) }),
}
