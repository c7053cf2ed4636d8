import { memo } from 'react'

import { hasMarkdown } from './has-markdown.ts'
import { lazyPart } from './lazy-part.tsx'
import styles from './markdown.module.css'

const PlainText = ({ text }: { text: string }) => <div className={styles.plain}>{text}</div>

const MarkdownContent = lazyPart(async () => (await import('./markdown-content.tsx')).MarkdownContent, {
  fallback: PlainText,
  isOptional: true,
})

/**
 * A text of a test case or a note. The code for Markdown is loaded only for a text that uses it, and a text is read again
 * only when it changes.
 */
export const Markdown = memo(({ text }: { text: string }) =>
  hasMarkdown(text) ? <MarkdownContent text={text} /> : <PlainText text={text} />,
)
