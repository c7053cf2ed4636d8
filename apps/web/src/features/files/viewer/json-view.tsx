import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeFailure } from '../../../problems.ts'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { formatNumberOf } from '../../../ui/format-count.ts'
import type { OpenableFile } from '../shown-file.ts'
import { fetchContent } from './fetch-content.ts'
import styles from './text-view.module.css'

/** Larger files are shown as text only. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024
/** Entries that are shown at first. */
const MAX_ENTRIES = 200

/** A JSON file as a tree. */
export function JsonView({ file }: { file: OpenableFile }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['json', file.id],
    queryFn: async ({ signal }) => {
      const response = await fetchContent(file.url, signal)
      return { value: parseJson(await response.text()) }
    },
    staleTime: Infinity,
    gcTime: 0,
  })
  if (error !== null) {
    return (
      <ErrorMessage title="The file could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'file' }).message}
      </ErrorMessage>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.json} role="region" aria-label="JSON" tabIndex={0}>
      {data?.value === undefined && data !== undefined && <p className={styles.empty}>This is no valid JSON.</p>}
      {data?.value !== undefined && <Value value={data.value} isOpen />}
    </div>
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface ValueProps {
  name?: string
  value: unknown
  isOpen?: boolean
}

/** One value. The contents of a folded one are drawn when it is opened. */
function Value({ name, value, isOpen: isOpenAtFirst = false }: ValueProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const [limit, setLimit] = useState(MAX_ENTRIES)
  const label = name === undefined ? null : <span className={styles.key}>{`${name}: `}</span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={styles.value}>
        {label}
        <span className={styles[typeof value]}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const entries = Object.entries(value)
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${formatNumberOf(entries.length, 'field')}}`
  return (
    <details className={styles.node} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.value}>
        {label}
        <span className={styles.count}>{size}</span>
      </summary>
      {isOpen && entries.slice(0, limit).map(([key, entry]) => <Value key={key} name={key} value={entry} />)}
      {isOpen && entries.length > limit && (
        <button type="button" className={styles.moreEntries} onClick={() => setLimit(limit * 5)}>
          {`Show more of ${entries.length}`}
        </button>
      )}
    </details>
  )
}
