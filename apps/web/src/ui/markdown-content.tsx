import MarkdownToJsx from 'markdown-to-jsx'
import type { ComponentProps, ComponentType } from 'react'

import { IsInLink, MarkdownImage } from './markdown-image.tsx'
import styles from './markdown-content.module.css'

/** Other sites open in a tab of their own, so that no input is lost. */
export const ExternalLink = ({ children, ...props }: ComponentProps<'a'>) => (
  <a {...props} target="_blank" rel="noreferrer">
    <IsInLink value>{children}</IsInLink>
  </a>
)

/** Tables can be wider than the page. */
const ScrollingTable = (props: ComponentProps<'table'>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
  <div className={styles.table} role="group" aria-label="Table" tabIndex={0}>
    <table {...props} />
  </div>
)

/** The check boxes of a task list show what the text says, and cannot be changed. */
const Task = ({ checked }: ComponentProps<'input'>) => (
  <input type="checkbox" checked={checked} disabled readOnly aria-label={checked === true ? 'Done' : 'Not done'} />
)

const options = {
  disableParsingRawHTML: true,
  overrides: { img: MarkdownImage, input: Task, a: ExternalLink, table: ScrollingTable },
} as const

interface MarkdownContentProps {
  text: string
  /** Components for links and images that mean more than addresses; must not be new in each render. */
  overrides?: { a: ComponentType<ComponentProps<'a'>>; img: ComponentType<ComponentProps<'img'>> }
}

/** A text as CommonMark with tables, images and task lists, without HTML. */
export const MarkdownContent = ({ text, overrides }: MarkdownContentProps) => (
  <div className={styles.markdown}>
    <MarkdownToJsx
      options={overrides === undefined ? options : { ...options, overrides: { ...options.overrides, ...overrides } }}
    >
      {text}
    </MarkdownToJsx>
  </div>
)
