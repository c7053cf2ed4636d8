import { LIMITS } from '../limits.ts'
import type { Markup } from '../records.ts'
import { hasHtml, htmlToMarkdown } from './html-to-markdown.ts'
import { jiraToMarkdown } from './jira-to-markdown.ts'
import { testrailToMarkdown } from './testrail-to-markdown.ts'
import { textileToMarkdown } from './textile-to-markdown.ts'

/** Converts a text of a source to Markdown, in linear time whatever it contains. */
export function toMarkdown(text: string, markup: Markup): { text: string; isDropped: boolean } {
  // Not worth a conversion, and nobody reads it.
  if (text === '' || markup === 'plain' || markup === 'markdown') return { text, isDropped: false }
  if (text.length > LIMITS.field) return { text, isDropped: true }
  if (markup === 'html') return hasHtml(text) || text.includes('&') ? htmlToMarkdown(text) : { text, isDropped: false }
  if (markup === 'jira') return { text: jiraToMarkdown(text), isDropped: false }
  if (markup === 'textile') return { text: textileToMarkdown(text), isDropped: false }
  if (hasHtml(text)) return htmlToMarkdown(testrailToMarkdown(text))
  return { text: testrailToMarkdown(text), isDropped: false }
}
