import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { preferences } from '../../use-preferences.ts'
import conflictStyles from '../test-cases/case-conflict.module.css'

interface VersionFrameProps<V, K extends QueryKey> {
  entry: { readonly version: number }
  /** The newest first. */
  entries: readonly { readonly version: number }[]
  /** Opens another version; null for the list. */
  onOpen: (version: number | null) => void
  /** Who made the version, how and when. */
  about: ReactNode
  getQuery: (version: number) => UseQueryOptions<V, Error, V, K>
  renderDiff: (before: V, after: V) => ReactNode
  renderText: (version: V) => ReactNode
  /** What can be done with the version, once it is loaded. */
  renderActions?: ((version: V) => ReactNode) | undefined
}

/** One version: what it changed, or how it reads. `←` and `→` go through all of them. */
export function VersionFrame<V extends { version: number }, K extends QueryKey>(props: VersionFrameProps<V, K>) {
  const { entry, entries, onOpen, about, getQuery, renderDiff, renderText, renderActions } = props
  const [isDiff, setIsDiff] = useState(true)
  const [chosenBase, setChosenBase] = useState<number | null>(null)
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [entry.version])
  const index = entries.indexOf(entry)
  const [newer, older] = [entries[index - 1], entries[index + 1]]
  const base = chosenBase === null || chosenBase === entry.version ? (older?.version ?? null) : chosenBase
  const shown = useQuery(getQuery(entry.version))
  const compared = useQuery({ ...getQuery(base ?? 0), enabled: isDiff && base !== null })
  const showsDiff = isDiff && base !== null
  const error = shown.error ?? (showsDiff ? compared.error : null)

  function handleKey(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || (target instanceof HTMLElement && /^(?:SELECT|INPUT)$/.test(target.tagName)))
      return
    const other = key === 'ArrowLeft' ? older : key === 'ArrowRight' ? newer : undefined
    if (other !== undefined) onOpen(other.version)
    else if (key.toLowerCase() === 'd' && preferences.get().singleLetterKeys) setIsDiff(!isDiff)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of what is shown
    <section
      ref={section}
      className={conflictStyles.conflict}
      style={{ padding: 0 }}
      aria-label={`Version ${entry.version}`}
      tabIndex={-1}
      onKeyDown={handleKey}
    >
      <div className={conflictStyles.head}>
        <Button icon={<ArrowLeft />} onClick={() => onOpen(null)}>
          All versions
        </Button>
        <div className={conflictStyles.actions}>
          <IconButton
            label="Older version"
            shortcut="ArrowLeft"
            icon={<ChevronLeft />}
            disabled={older === undefined}
            onClick={() => older !== undefined && onOpen(older.version)}
          />
          <IconButton
            label="Newer version"
            shortcut="ArrowRight"
            icon={<ChevronRight />}
            disabled={newer === undefined}
            onClick={() => newer !== undefined && onOpen(newer.version)}
          />
        </div>
      </div>
      <div>
        <h2 className={conflictStyles.title}>
          Version {entry.version}
          {index === 0 && ' (current)'}
        </h2>
        {about}
      </div>
      {base !== null && (
        <div className={conflictStyles.head}>
          <Segmented
            label="Show"
            value={isDiff ? 'diff' : 'text'}
            options={[
              { value: 'diff', label: 'Changes' },
              { value: 'text', label: 'Text' },
            ]}
            onChange={(value) => setIsDiff(value === 'diff')}
          />
          {isDiff && (
            <Select
              label="Compared with"
              isLabelHidden
              value={String(base)}
              options={entries
                .filter(({ version }) => version !== entry.version)
                .map(({ version }) => ({ value: String(version), label: `Since version ${version}` }))}
              onChange={(value) => setChosenBase(Number(value))}
            />
          )}
        </div>
      )}
      {error !== null ? (
        <ErrorMessage
          title="The version could not be loaded."
          onRetry={() => void (shown.refetch(), compared.refetch())}
        >
          {describeFailure(error, { noun: 'version' }).message}
        </ErrorMessage>
      ) : shown.data === undefined || (showsDiff && compared.data === undefined) ? (
        <Loading label="Loading the version">
          <SkeletonRows count={4} />
        </Loading>
      ) : showsDiff && compared.data !== undefined ? (
        renderDiff(...orderPair(compared.data, shown.data))
      ) : (
        renderText(shown.data)
      )}
      {shown.data !== undefined && renderActions?.(shown.data)}
    </section>
  )
}

/** The older of two versions is what was before. */
const orderPair = <V extends { version: number }>(one: V, other: V): [V, V] =>
  one.version < other.version ? [one, other] : [other, one]
