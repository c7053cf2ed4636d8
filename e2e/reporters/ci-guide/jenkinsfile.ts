/** A block of a declarative Jenkinsfile: `stage('Unit') { … }`. */
export interface Block {
  /** `stage` */
  readonly name: string
  /** What stands between name and brace, or after the name if there are no braces: `('Unit')`. */
  readonly argument: string
  readonly children: readonly Block[]
}

const TOKEN = /\s+|\/\/[^\n]*|'[^']*'|"[^"]*"|[{};]|[^\s{};'"]+/g

/** Parses the part of Groovy that the guide uses: blocks with braces, strings without escapes, and comments. */
export function parseJenkinsfile(text: string): Block[] {
  const tokens = text.match(TOKEN) ?? []
  let position = 0
  const parseBlocks = (): Block[] => {
    const blocks: Block[] = []
    let statement = ''
    const add = (children: readonly Block[]) => {
      const [, name = '', argument = ''] = /^(\w+)\s*([^]*)$/.exec(statement.trim()) ?? []
      if (name !== '') blocks.push({ name, argument, children })
      statement = ''
    }
    while (position < tokens.length) {
      const token = tokens[position] ?? ''
      position += 1
      if (token === '}') break
      if (token === '{') add(parseBlocks())
      else if (token === ';' || token.includes('\n')) add([])
      else if (!token.startsWith('//')) statement += token
    }
    add([])
    return blocks
  }
  return parseBlocks()
}

/** Returns the texts in quotes of an argument. */
export const readStrings = (argument: string): string[] =>
  [...argument.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '')
