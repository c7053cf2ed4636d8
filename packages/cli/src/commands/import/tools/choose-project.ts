import { CommandError } from '../../../command-error.ts'
import { toTerminalText } from '../../../text.ts'
import { getText, type ToolObject } from './answers.ts'

/**
 * Chooses the project of a tool by one of its fields, such as its id or name.
 * @param fields the first one is what the message calls the projects that there are
 * @throws {CommandError} when there is none
 */
export function chooseProject(
  projects: readonly ToolObject[],
  project: string,
  { title, noun = 'project', fields }: { title: string; noun?: string; fields: readonly [string, ...string[]] },
): ToolObject {
  const found = projects.find((each) => fields.some((name) => getText(each, name) === project))
  if (found !== undefined) return found
  const names = projects.map((each) => getText(each, fields[0])).join(', ')
  throw new CommandError(
    [
      `${title} has no ${noun} ${toTerminalText(project)} for you. It has${names === '' ? ' none' : `: ${toTerminalText(names)}`}.`,
    ],
    { code: 'not_found' },
  )
}
