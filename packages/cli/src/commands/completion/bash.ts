import { type CommandTree, listCommandPaths } from './command-tree.ts'

/** Creates a script for bash 3.2, the version of macOS, and later. */
export function createBashScript(root: CommandTree): string {
  const commands = listCommandPaths(root)
  const words = commands.map(({ path, tree }) => {
    const candidates = [
      ...tree.commands.map(({ name }) => name),
      ...tree.choices,
      ...tree.options.map(({ flag }) => flag),
    ]
    return `    '${path.join(' ')}') words='${candidates.join(' ')}'${tree.takesFiles ? " files='yes'" : ''} ;;`
  })
  const nested = commands.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  const optionChoices = commands.flatMap(({ path, tree }) =>
    tree.options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    '${path.join(' ')} ${flag}') words='${choices.join(' ')}' ;;`),
  )
  const flagsWithValue = new Set(
    commands.flatMap(({ tree }) => tree.options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag)),
  )
  return `# Completion of caseward for bash.
_caseward() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='caseward' words='' files='' index file
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path \${COMP_WORDS[index]}" in
      ${nested.join(' | ')}) path="$path \${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$path $previous" in
${optionChoices.join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$previous" in
    ${[...flagsWithValue].join(' | ')}) return ;;
  esac
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Once a letter is typed that no word starts with, bash offers files itself.
  if [ -n "$files" ] && [ -z "$current" ]; then
    type compopt > /dev/null 2>&1 && compopt -o filenames 2> /dev/null
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f)
  fi
}
complete -o default -F _caseward caseward
`
}
