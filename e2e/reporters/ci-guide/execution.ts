/** Environment variables by name. */
export type Variables = Readonly<Record<string, string>>

export interface Step {
  /** Text for the shell. */
  readonly command: string
  /** Variables of this step alone. */
  readonly env?: Variables
  /** Whether it runs also when a step before it has failed. */
  readonly isAlwaysRun?: boolean
  /** Whether the job goes on, and has not failed, when this step fails. */
  readonly mayFail?: boolean | undefined
}

/** A job as the CI system executes it: once, for each leg of a matrix, or for each shard. */
export interface Execution {
  /** Name of the job in the guide, such as `unit`. */
  readonly job: string
  /** What the CI system and the snippet set. */
  readonly env: Variables
  readonly steps: readonly Step[]
}

/** What the executions of a build have in common. */
export interface Build {
  /** Directory of the checkout. */
  readonly checkout: string
  readonly token: string
}

/** A CI system of the guide. */
export interface CiSystem {
  /** Heading of its section. */
  readonly name: string
  /**
   * Reads the snippet, and returns what the CI system would execute, with the variables that it sets. They are those of its
   * documentation.
   */
  readonly expand: (snippet: string, build: Build) => readonly Execution[]
  /** Returns the variables of an execution that is run again in the same build. */
  readonly rerun: (env: Variables) => Variables
  /** Whether a rerun is a build of its own. */
  readonly rerunsInNewBuild?: boolean
}

/** What CI systems keep as settings of the project where the snippet does not set it. */
export const getProjectVariables = ({ token }: Build): Variables => ({
  SERVICE_URL: 'https://caseward.example.com',
  SERVICE_PROJECT_ID: 'WEB',
  SERVICE_TOKEN: token,
})

/** Returns all combinations of the values of a matrix; one without values if there is no matrix. */
export const combine = (axes: Readonly<Record<string, readonly unknown[]>>): Variables[] =>
  Object.entries(axes).reduce<Variables[]>(
    (legs, [axis, values]) => legs.flatMap((leg) => values.map((value) => ({ ...leg, [axis]: String(value) }))),
    [{}],
  )

/** Replaces the references in a text. @throws for a reference to something unknown */
export const fill = (text: string, pattern: RegExp, values: Variables): string =>
  text.replaceAll(pattern, (reference, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The snippet refers to ${reference}, which is unknown.`)
    return value
  })

export const mapValues = (
  variables: Readonly<Record<string, string | number>>,
  map: (text: string) => string,
): Variables => Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, map(String(value))]))
