import type { Command, Option } from 'commander'

/** What a shell needs to know of a command. */
export interface CommandTree {
  readonly name: string
  readonly summary: string
  readonly commands: readonly CommandTree[]
  readonly options: readonly {
    /** Such as `--url`; of several the long one. */
    readonly flag: string
    readonly description: string
    readonly takesValue: boolean
    /** The words that its value is one of; empty where it can be anything. */
    readonly choices: readonly string[]
  }[]
  /** The words that its first argument is one of. */
  readonly choices: readonly string[]
  /** Whether its arguments are files. */
  readonly takesFiles: boolean
}

/** The commands as they are declared, so that a new one is completed, too. */
export function readTree(command: Command): CommandTree {
  const [argument] = command.registeredArguments
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    commands: command.commands.map(readTree),
    options: [
      ...command.options.map(readOption),
      { flag: '--help', description: 'print this help', takesValue: false, choices: [] },
    ],
    choices: argument?.argChoices ?? [],
    takesFiles: argument !== undefined && /^files?$/.test(argument.name()),
  }
}

const readOption = (option: Option) => ({
  flag: option.long ?? option.short ?? '',
  description: option.description,
  takesValue: option.required || option.optional,
  choices: option.argChoices ?? [],
})

/** Every command with the words that lead to it, such as `caseward run show`; parents first. */
export function listCommandPaths(
  tree: CommandTree,
  path: readonly string[] = [],
): { path: readonly string[]; tree: CommandTree }[] {
  const own = [...path, tree.name]
  return [{ path: own, tree }, ...tree.commands.flatMap((child) => listCommandPaths(child, own))]
}
