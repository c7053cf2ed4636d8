import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../../docs/guide/ci.md', import.meta.url), 'utf8')

/** The snippets under “Your CI system”, by the heading of their section. */
export function readSnippets(): Readonly<Record<string, string>> {
  const [, chapter = ''] = /\n## Your CI system\n([^]*?)\n## /.exec(text) ?? []
  const [, ...sections] = chapter.split('\n### ')
  return Object.fromEntries(
    sections.map((section) => {
      const [, name = '', snippet = ''] = /^(.+)\n[^]*?```\w+\n([^]*?)```/.exec(section) ?? []
      return [name, snippet]
    }),
  )
}

/** The settings of Caseward that the whole page names. */
export const listSettings = (): string[] => [...new Set(text.match(/\bSERVICE_\w+/g))].toSorted()

/** The command that fails a build with its run. */
export const readGateCommand = (): string => /\*\*Gate\*\*[^`]*`([^`]+)`/.exec(text)?.[1] ?? ''
