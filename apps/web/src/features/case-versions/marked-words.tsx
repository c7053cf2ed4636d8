import { diffWordsWithSpace } from 'diff'
import type { CSSProperties } from 'react'

const REMOVED: CSSProperties = { background: 'var(--failed-tint)', color: 'var(--failed-text)' }
const ADDED: CSSProperties = {
  background: 'var(--passed-tint)',
  color: 'var(--passed-text)',
  textDecoration: 'none',
  fontWeight: 'var(--medium)',
}

/** Longer texts are shown one after the other: comparing their words would take too long. */
const MAX_LENGTH = 20_000

interface MarkedWordsProps {
  before: string
  after: string
  /** Whether it is a value, such as the name of a folder, which is replaced as a whole. */
  isWhole?: boolean
}

/** A text with the words that were removed and added. Screen readers announce them as deletions and insertions. */
export function MarkedWords({ before, after, isWhole = false }: MarkedWordsProps) {
  if (before === after) return after
  const parts =
    isWhole || before.length + after.length > MAX_LENGTH
      ? [
          { value: before, removed: true, added: false },
          { value: after, removed: false, added: true },
        ]
      : diffWordsWithSpace(before, after)
  return parts.map(({ value, removed, added }, index) => {
    // Parts have no identity of their own.
    const key = `${index} ${value.length}`
    if (removed) {
      return (
        <del key={key} style={REMOVED}>
          {value}
        </del>
      )
    }
    if (!added) return <span key={key}>{value}</span>
    return (
      <ins key={key} style={ADDED}>
        {value}
      </ins>
    )
  })
}
