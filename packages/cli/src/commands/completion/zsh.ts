import { type CommandTree, listCommandPaths } from './command-tree.ts'

/** Creates a function for zsh's completion system, for a file `_caseward` on the `fpath`. */
export function createZshScript(root: CommandTree): string {
  const functions = listCommandPaths(root).map(({ path, tree }) => {
    const options = tree.options.map(({ flag, description, takesValue, choices }) => {
      const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : ''
      return `    ${quote(`*${flag}[${escape(description)}]${value}`)}`
    })
    const name = `_${path.map((word) => word.replaceAll('-', '_')).join('_')}`
    return tree.commands.length > 0 ? formatGroupFunction(name, tree, options) : formatLeafFunction(name, tree, options)
  })
  return `#compdef caseward
# Completion of caseward for zsh.
${functions.join('\n')}
if [ "$funcstack[1]" = '_caseward' ]; then
  _caseward "$@"
else
  compdef _caseward caseward
fi
`
}

function formatGroupFunction(name: string, { commands }: CommandTree, options: readonly string[]): string {
  const descriptions = commands.map((command) => `    ${quote(`${command.name}:${command.summary}`)}`)
  const cases = commands.map((command) => `      ${command.name}) ${name}_${command.name.replaceAll('-', '_')} ;;`)
  return `${name}() {
  local line state
  local -a commands
  commands=(
${descriptions.join('\n')}
  )
  _arguments -C \\
${options.map((option) => `${option} \\`).join('\n')}
    '1: :->command' \\
    '*:: :->rest'
  case "$state" in
    command) _describe 'command' commands ;;
    rest) case "$line[1]" in
${cases.join('\n')}
    esac ;;
  esac
}
`
}

function formatLeafFunction(name: string, { choices, takesFiles }: CommandTree, options: readonly string[]): string {
  const argument =
    choices.length > 0 ? [`    '1:argument:(${choices.join(' ')})'`] : takesFiles ? ["    '*:file:_files'"] : []
  return `${name}() {
  _arguments \\
${[...options, ...argument].join(' \\\n')}
}
`
}

const escape = (text: string) => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`)
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
