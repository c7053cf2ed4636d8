import { type CommandTree, listCommandPaths } from './command-tree.ts'

/** Lines for fish: what is offered, and after which words. */
export function fishScript(root: CommandTree): string {
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

/** Behind all these words, and none that leads further. */
function buildCondition(path: readonly string[], { commands }: CommandTree): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const further = commands.map(({ name }) => name).join(' ')
  const conditions = [...seen, ...(further === '' ? [] : [`not __fish_seen_subcommand_from ${further}`])]
  return quote(conditions.join('; and '))
}

const quote = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
