import { type Build, type CiSystem, combine, type Execution, fill, type Variables } from './execution.ts'
import { type Block, parseJenkinsfile, readStrings } from './jenkinsfile.ts'

const find = (blocks: readonly Block[], name: string): readonly Block[] =>
  blocks.find((block) => block.name === name)?.children ?? []

/** Reads `environment { … }` within the variables around it. */
function readEnvironment(blocks: readonly Block[], outer: Variables, { token }: Build): Variables {
  const assignments = find(blocks, 'environment').map(({ name, argument }) => {
    const [value = ''] = readStrings(argument)
    if (argument.startsWith('= credentials(')) return [name, { SERVICE_TOKEN: token }[value] ?? '']
    return [name, fill(value, /\$\{(\w+)\}/g, outer)]
  })
  return { ...outer, ...(Object.fromEntries(assignments) as Variables) }
}

/** Returns the commands of `sh`, within `catchError` as well. */
const listCommands = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(({ name, argument, children }) => (name === 'sh' ? readStrings(argument) : listCommands(children)))

/** Whether a failure in the blocks fails the whole stage, so that Jenkins skips the stages after it. */
const stopsOnFailure = (blocks: readonly Block[]): boolean =>
  blocks.some(({ name, children }) => name === 'sh' || (name !== 'catchError' && stopsOnFailure(children)))

function readAxes(matrix: readonly Block[]): Variables[] {
  const axes = find(matrix, 'axes').map(({ children }) => {
    const read = (name: string) => readStrings(children.find((block) => block.name === name)?.argument ?? '')
    return [read('name')[0] ?? '', read('values')]
  })
  return combine(Object.fromEntries(axes) as Record<string, string[]>)
}

function expandStage({ argument, children }: Block, outer: Variables, build: Build): Execution[] {
  const [stage = ''] = readStrings(argument)
  const env = { ...readEnvironment(children, outer, build), STAGE_NAME: stage }
  const inner = [...find(children, 'parallel'), ...find(children, 'stages')]
  const matrix = find(children, 'matrix')
  const commands = listCommands(find(children, 'steps'))
  return [
    ...(commands.length === 0
      ? []
      : [{ job: stage.split(/\W/)[0]?.toLowerCase() ?? '', env, steps: commands.map((command) => ({ command })) }]),
    ...inner.flatMap((block) => expandStage(block, env, build)),
    ...(matrix.length === 0 ? [] : readAxes(matrix)).flatMap((leg) => {
      const legEnv = readEnvironment(matrix, { ...env, ...leg }, build)
      return find(matrix, 'stages').flatMap((block) => expandStage(block, legEnv, build))
    }),
  ]
}

/** https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables */
export const jenkins: CiSystem = {
  name: 'Jenkins',
  expand(snippet, build) {
    const pipeline = find(parseJenkinsfile(snippet), 'pipeline')
    const variables = {
      BUILD_TAG: 'jenkins-shop-15',
      BUILD_NUMBER: '15',
      BUILD_DISPLAY_NAME: '#15',
      JENKINS_URL: 'https://ci.example.com/',
      JOB_NAME: 'shop',
      NODE_NAME: 'agent-1',
      EXECUTOR_NUMBER: '0',
      WORKSPACE: build.checkout,
    }
    const env = readEnvironment(pipeline, variables, build)
    const stages = find(pipeline, 'stages')
    if (stopsOnFailure(stages.slice(0, -1))) throw new Error('Jenkins skips the stages after one that failed.')
    return stages.flatMap((stage) => expandStage(stage, env, build))
  },
  rerun: () => ({ BUILD_TAG: 'jenkins-shop-16', BUILD_NUMBER: '16', BUILD_DISPLAY_NAME: '#16' }),
  rerunsInNewBuild: true,
}
