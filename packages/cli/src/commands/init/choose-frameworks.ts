import { CommandError } from '../../command-error.ts'
import { joinNames } from '../../text.ts'
import { type Framework, frameworks } from './frameworks.ts'
import type { Prompter } from '../../prompt.ts'
import type { Project } from './read-project.ts'

const findUsed = (project: Project) => frameworks.filter((framework) => framework.isUsed(project))
const listNames = (list: readonly Framework[] = frameworks) => list.map(({ name }) => name)

/**
 * Chooses the frameworks: those of the option, or else those that the user confirms, or else those in package.json.
 * @throws {CommandError} when there is none
 */
export async function chooseFrameworks(
  project: Project,
  names: readonly string[] | undefined,
  prompter: Prompter | null,
): Promise<readonly Framework[]> {
  if (names !== undefined) return findByNames(names)
  const used = findUsed(project)
  if (prompter === null) {
    if (used.length === 0) {
      throw new CommandError(
        [
          'package.json contains no supported test framework.',
          `Use --framework <name> with one of ${listNames().join(', ')}. For any other framework, write JUnit XML and use caseward upload.`,
        ],
        { code: 'no_framework' },
      )
    }
    return used
  }
  const titles = used.map(({ title }) => title).join(', ')
  const question =
    used.length === 0
      ? `Which test framework (${listNames().join(', ')})?`
      : `Found ${titles}. Which ones do you want to set up?`
  const answer = await prompter.ask(question, listNames(used).join(' '))
  return findByNames(answer.split(/[\s,]+/).filter((name) => name !== ''))
}

function findByNames(names: readonly string[]): readonly Framework[] {
  const unknown = names.filter((name) => !frameworks.some((framework) => framework.name === name))
  if (unknown.length > 0 || names.length === 0) {
    const fact = unknown.length > 0 ? `Unknown test framework: ${unknown.join(', ')}.` : 'No test framework was chosen.'
    throw new CommandError([`${fact} Choose from ${listNames().join(', ')}.`], { code: 'no_framework' })
  }
  return frameworks.filter(({ name }) => names.includes(name))
}

/** Describes which options replace the questions when there is no terminal. */
export function describeRequiredOptions(project: Project): string[] {
  const used = listNames(findUsed(project))
  const options =
    used.length === 0 ? '--framework <name> --yes' : `--yes to set up ${joinNames(used)}, or --framework <name> --yes`
  return [
    'Cannot prompt: standard input is not a terminal.',
    `Use ${options}; use --dry-run instead of --yes to only show the changes.`,
  ]
}
