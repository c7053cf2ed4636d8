import type { Command, Option } from 'commander'

/** What a completion script contains of a command. */
export interface CommandTree {
  readonly name: string
  readonly summary: string
  readonly commands: readonly CommandTree[]
  readonly options: readonly {
    /** Such as `--url`. */
    readonly flag: string
    readonly description: string
    readonly takesValue: boolean
    /** The allowed values; empty if every value is allowed. */
    readonly choices: readonly string[]
  }[]
  /** The allowed values of its first argument. */
  readonly choices: readonly string[]
  /** Whether its arguments are files. */
  readonly takesFiles: boolean
}

/** Reads the tree from the program itself, so that new commands are completed as well. */
export function readCommandTree(command: Command): CommandTree {
  const [argument] = command.registeredArguments
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    commands: command.commands.map(readCommandTree),
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

/** Lists every command with its path, such as `caseward run show`; parents first. */
export function listCommandPaths(
  tree: CommandTree,
  path: readonly string[] = [],
): { path: readonly string[]; tree: CommandTree }[] {
  const ownPath = [...path, tree.name]
  return [{ path: ownPath, tree }, ...tree.commands.flatMap((child) => listCommandPaths(child, ownPath))]
}
