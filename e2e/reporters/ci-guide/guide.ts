import { readFileSync } from 'node:fs'

const readPage = (name: string) => readFileSync(new URL(`../../../docs/guide/${name}`, import.meta.url), 'utf8')

const text = readPage('ci.md')

/** The snippets under “Your CI system”, by the heading of their section. */
export const readSnippets = () => readSnippetsOf(text, 'Your CI system')

/** The snippets of builds that a gate decides, by CI system. */
export const readGateSnippets = () => readSnippetsOf(readPage('gate.md'), 'Several jobs')

function readSnippetsOf(page: string, heading: string): Readonly<Record<string, string>> {
  const [, chapter = ''] = new RegExp(`\\n## ${heading}\\n([^]*?)\\n## `).exec(page) ?? []
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
