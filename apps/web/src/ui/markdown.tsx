import { lazy, memo, Suspense } from 'react'

import { hasMarkdown } from './has-markdown.ts'
import styles from './markdown.module.css'

const MarkdownContent = lazy(async () => ({ default: (await import('./markdown-content.tsx')).MarkdownContent }))

/**
 * A text of a test case or a note. The code for Markdown is loaded only for a text that uses it, and a text is read again
 * only when it changes.
 */
export const Markdown = memo(({ text }: { text: string }) =>
  hasMarkdown(text) ? (
    <Suspense fallback={<PlainText text={text} />}>
      <MarkdownContent text={text} />
    </Suspense>
  ) : (
    <PlainText text={text} />
  ),
)

const PlainText = ({ text }: { text: string }) => <div className={styles.plain}>{text}</div>
