import { Argument, type Command } from 'commander'

import { bashScript } from './bash.ts'
import { type CommandTree, readTree } from './command-tree.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'
import type { Context } from '../../context.ts'
import { addCommonOptions } from '../../options.ts'

const scripts: Readonly<Record<string, (tree: CommandTree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

const help = `
Exit codes:
  0  the script was printed
  1  there is none for this shell

Examples:
  caseward completion bash > ~/.local/share/bash-completion/completions/caseward
  caseward completion zsh > "\${fpath[1]}/_caseward"
  caseward completion fish > ~/.config/fish/completions/caseward.fish
`

export function define(command: Command, context: Context): void {
  addCommonOptions(
    command
      .description('Print a completion script for a shell.')
      .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts))),
  )
    .addHelpText('after', help)
    .action((shell: string) => context.setResult(print(shell, command, context)))
}

async function print(shell: string, command: Command, { terminal, json }: Context) {
  const script = scripts[shell]?.(readTree(command.parent ?? command)) ?? ''
  if (!json) terminal.write(script)
  return await Promise.resolve({ exitCode: 0, document: { shell, script } } as const)
}
