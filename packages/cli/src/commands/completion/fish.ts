import { type CommandTree, listCommandPaths } from './command-tree.ts'

/** Creates a script for fish: one line per candidate, with the commands it follows. */
export function createFishScript(root: CommandTree): string {
  const lines = listCommandPaths(root).flatMap(({ path, tree }) => {
    const condition = buildCondition(path.slice(1), tree)
    const commands = tree.commands.map(
      ({ name, summary }) => `complete -c caseward -n ${condition} -f -a ${name} -d ${quote(summary)}`,
    )
    const choices =
      tree.choices.length > 0 ? [`complete -c caseward -n ${condition} -f -a ${quote(tree.choices.join(' '))}`] : []
    const options = tree.options.map(({ flag, description, takesValue, choices: words }) => {
      const value = takesValue ? (words.length > 0 ? ` -x -a ${quote(words.join(' '))}` : ' -r') : ''
      return `complete -c caseward -n ${condition} -l ${flag.replace(/^--/, '')} -d ${quote(description)}${value}`
    })
    return [...commands, ...choices, ...options]
  })
  return `# Completion of caseward for fish.\n${lines.join('\n')}\n`
}

/** Builds the condition that all these words were typed, and no subcommand. */
function buildCondition(path: readonly string[], { commands }: CommandTree): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const subcommands = commands.map(({ name }) => name).join(' ')
  const notSeen = subcommands === '' ? [] : [`not __fish_seen_subcommand_from ${subcommands}`]
  const conditions = [...seen, ...notSeen]
  return quote(conditions.join('; and '))
}

const quote = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
