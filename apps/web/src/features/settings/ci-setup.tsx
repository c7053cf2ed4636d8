import { useId, useState } from 'react'

import { CopyButton } from '../../ui/copy-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { buildCiSnippets, type CiSystem, type Snippet, type TestTool } from './ci-snippets.ts'
import styles from './settings.module.css'

const systems = [
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'jenkins', label: 'Jenkins' },
  { value: 'shell', label: 'Other' },
] as const satisfies readonly { value: CiSystem; label: string }[]

const tools = [
  { value: 'junit', label: 'Any tool that writes JUnit XML' },
  { value: 'playwright', label: 'Playwright' },
  { value: 'cypress', label: 'Cypress' },
  { value: 'vitest', label: 'Vitest' },
  { value: 'jest', label: 'Jest' },
  { value: 'mocha', label: 'Mocha' },
  { value: 'webdriverio', label: 'WebdriverIO' },
  { value: 'node-test', label: 'node --test' },
] as const satisfies readonly { value: TestTool; label: string }[]

/** What to paste into a repository, so that its CI uploads results to a project. */
export function CiSetup({ projectId, headingLevel: Heading }: { projectId: string; headingLevel: 'h2' | 'h3' }) {
  const [ci, setCi] = useState<CiSystem>('github')
  const [tool, setTool] = useState<TestTool>('junit')
  const headingId = useId()
  return (
    <section className={styles.setup} aria-labelledby={headingId}>
      <Heading id={headingId}>Set up CI</Heading>
      <div className={styles.choices}>
        <Segmented label="CI system" value={ci} options={systems} onChange={setCi} />
        <Select<TestTool> label="Tests" isLabelHidden value={tool} options={tools} onChange={setTool} />
      </div>
      {buildCiSnippets(ci, tool, { url: location.origin, projectId }).map((snippet) => (
        <SnippetBlock key={snippet.title} {...snippet} />
      ))}
    </section>
  )
}

const SnippetBlock = ({ title, text, note }: Snippet) => (
  <figure className={styles.snippet}>
    <figcaption className={styles.snippetHead}>
      <span className={styles.snippetTitle}>{title}</span>
      <CopyButton text={text} />
    </figcaption>
    <pre className={styles.code}>{text}</pre>
    {note !== undefined && <p className={styles.note}>{note}</p>}
  </figure>
)
