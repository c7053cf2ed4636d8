import { Argument, type Command } from 'commander'

import { createBashScript } from './bash.ts'
import { type CommandTree, readCommandTree } from './command-tree.ts'
import { createFishScript } from './fish.ts'
import { createZshScript } from './zsh.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addCommonOptions } from '../../options.ts'

const scripts: Readonly<Record<string, (tree: CommandTree) => string>> = {
  bash: createBashScript,
  zsh: createZshScript,
  fish: createFishScript,
}

const help = `
Exit codes:
  0  the script was printed
  1  the shell is not supported

Examples:
  caseward completion bash > ~/.local/share/bash-completion/completions/caseward
  caseward completion zsh > "\${fpath[1]}/_caseward"
  caseward completion fish > ~/.config/fish/completions/caseward.fish
`

export function define(command: Command, context: Context): void {
  addCommonOptions(command.addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts))))
    .addHelpText('after', help)
    .action((shell: string) => context.setResult(printScript(shell, command, context)))
}

async function printScript(shell: string, command: Command, { terminal, json }: Context): Promise<CommandResult> {
  const script = scripts[shell]?.(readCommandTree(command.parent ?? command)) ?? ''
  if (!json) terminal.write(script)
  return await Promise.resolve({ exitCode: 0, document: { shell, script } })
}
