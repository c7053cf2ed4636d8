import { draftItem, type Drafts, splitDraftItem } from './drafts.ts'

/** Changes of a test case that are kept in this browser, and that the server does not have. */
export interface UnsentCase {
  readonly projectId: string
  /** Empty for a new test case. */
  readonly caseId: string
}

const KIND = 'case'

/** Names the draft of a test case. */
export const getCaseItem = (projectId: string, caseId: string): string => draftItem(KIND, projectId, caseId)

/** The editors of this tab by test case: they save it, and say whether they have. */
const openItems = new Map<string, number>()
/** A closed editor still saves for a moment. */
const CLOSING_MS = 2000
const listeners = new Set<() => void>()
const notify = () => listeners.forEach((listener) => listener())

/** @returns a function that is called when the editor is closed */
export function markCaseOpen(projectId: string, caseId: string): () => void {
  const item = getCaseItem(projectId, caseId)
  const count = (change: 1 | -1) => {
    const editors = (openItems.get(item) ?? 0) + change
    if (editors === 0) openItems.delete(item)
    else openItems.set(item, editors)
    notify()
  }
  count(1)
  return () => void setTimeout(() => count(-1), CLOSING_MS)
}

/** Lists the unsent changes that no editor of this tab has, oldest first. */
export const listUnsentCases = (drafts: Drafts): UnsentCase[] => listItems(drafts).map(toUnsentCase)

/** Returns what {@link parseUnsentCases} reads, as a text that differs only if the list does. */
export const formatUnsentCases = (drafts: Drafts): string => listItems(drafts).join('\n')

export const parseUnsentCases = (text: string): UnsentCase[] => (text === '' ? [] : text.split('\n').map(toUnsentCase))

const listItems = (drafts: Drafts) => drafts.list(KIND).filter((item) => !openItems.has(item))

function toUnsentCase(item: string): UnsentCase {
  const [, projectId = '', caseId = ''] = splitDraftItem(item)
  return { projectId, caseId }
}

/** Calls the listener when the list may have changed, also by another tab. */
export function watchUnsentCases(drafts: Drafts, listener: () => void): () => void {
  const stop = drafts.subscribe(listener)
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    stop()
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
