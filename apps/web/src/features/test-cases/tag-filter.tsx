import { useMemo, useState } from 'react'

import { toSearchWords } from '../../row-index/search-text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Count } from '../../ui/count.tsx'
import { TextField } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from './cases.module.css'
import { describeTagFilter, labelTag, toggleItem } from './describe-filter.ts'
import type { CaseFacets, CaseView } from './search-cases.ts'

/** The most tags that the list shows; the search finds the others. */
const MAX_SHOWN = 100

export interface TagFilterProps {
  view: CaseView
  facets: CaseFacets
  onChange: (changes: Partial<CaseView>) => void
}

/** Chooses test cases by their tags. */
export function TagFilter({ view, facets, onChange }: TagFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const words = toSearchWords(search)
  const tags = useMemo(() => [...facets.tag].toSorted(([, a], [, b]) => b - a), [facets])
  const shown = tags.filter(([tag]) => words.every((word) => tag.toLowerCase().includes(word))).slice(0, MAX_SHOWN)
  const chosen = view.tag.filter((tag) => !shown.some(([name]) => name === tag))
  return (
    <Popover
      label="Tags"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={<Button>{describeTagFilter(view, facets.tag)}</Button>}
    >
      <TextField
        label="Find a tag"
        isLabelHidden
        type="search"
        placeholder="Find a tag"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className={styles.tagList}>
        {[...chosen.map((tag) => [tag, facets.tag.get(tag) ?? 0] as const), ...shown].map(([tag, count]) => (
          <li key={tag} className={styles.tagItem}>
            <Checkbox
              label={labelTag(tag, facets.tag)}
              checked={view.tag.includes(tag)}
              onChange={(isChecked) => onChange({ tag: toggleItem(view.tag, tag, isChecked) })}
            />
            <span className={styles.tagCount}>
              <Count value={count} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && chosen.length === 0 && (
        <p className={styles.hint}>{tags.length === 0 ? 'No test case has a tag.' : 'No tag matches.'}</p>
      )}
    </Popover>
  )
}
