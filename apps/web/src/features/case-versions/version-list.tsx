import type { InfiniteData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Time } from '../../ui/time.tsx'
import historyStyles from '../test-cases/case-history.module.css'
import { usePeople } from '../test-cases/use-people.ts'

interface VersionEntry {
  readonly version: number
  readonly changed_by: string | null
  /** Null if it is not known. */
  readonly changed_at: string | null
}

/** A version that is open, in place of the list. */
export interface OpenedVersion<Entry> {
  readonly entry: Entry
  /** All that are loaded, the newest first. */
  readonly entries: readonly Entry[]
  readonly author: string
  /** Opens another version; null for the list. */
  readonly onOpen: (version: number | null) => void
}

interface VersionListProps<Entry> {
  projectId: string
  query: {
    readonly data: InfiniteData<{ readonly data: readonly Entry[] }> | undefined
    readonly error: Error | null
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly refetch: () => unknown
    readonly fetchNextPage: () => unknown
  }
  /** What has the versions: "test case". */
  noun: string
  /** What names a version in the list. */
  getTitle: (entry: Entry) => string
  getSummary?: (entry: Entry) => string | null
  /** What stands below it; empty texts are left out. */
  listDetails: (entry: Entry, author: string) => readonly string[]
  renderOpened: (opened: OpenedVersion<Entry>) => ReactNode
}

/** Every version of something, the newest first, or the one that is open. */
export function VersionList<Entry extends VersionEntry>(props: VersionListProps<Entry>) {
  const { projectId, query, noun, getTitle, getSummary, listDetails, renderOpened } = props
  const { getPerson } = usePeople(projectId)
  const [openedVersion, setOpenedVersion] = useState<number | null>(null)
  const getAuthor = ({ changed_by: id }: Entry) => (id === null ? '' : getPerson(id) || 'a former member')
  return (
    <LoadedPart query={query} noun="versions">
      {({ pages }) => {
        const entries = pages.flatMap(({ data }) => data)
        const opened = entries.find(({ version }) => version === openedVersion)
        if (opened !== undefined) {
          return renderOpened({ entry: opened, entries, author: getAuthor(opened), onOpen: setOpenedVersion })
        }
        return (
          <div className={historyStyles.history}>
            {entries.length === 1 && (
              <p className={historyStyles.none}>
                {`This ${noun} has not been changed yet. Every change will be a version here.`}
              </p>
            )}
            <ol className={historyStyles.list} style={{ padding: 0, margin: 0 }} aria-label="Versions">
              {entries.map((entry) => (
                <VersionItem
                  key={entry.version}
                  version={entry.version}
                  title={getTitle(entry)}
                  summary={getSummary?.(entry) ?? null}
                  details={listDetails(entry, getAuthor(entry))}
                  changedAt={entry.changed_at}
                  onOpen={() => setOpenedVersion(entry.version)}
                />
              ))}
            </ol>
            {query.hasNextPage && (
              <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Older versions
              </Button>
            )}
          </div>
        )
      }}
    </LoadedPart>
  )
}

interface VersionItemProps {
  version: number
  title: string
  summary: string | null
  details: readonly string[]
  changedAt: string | null
  onOpen: () => void
}

const VersionItem = ({ version, title, summary, details, changedAt, onOpen }: VersionItemProps) => (
  <li className={historyStyles.result}>
    <Button aria-label={`v${version}: ${title}`} onClick={onOpen}>
      v{version}
    </Button>
    <div className={historyStyles.text}>
      <span style={{ overflowWrap: 'anywhere' }}>{title}</span>
      {summary !== null && <span className={historyStyles.note}>{summary}</span>}
      <span className={historyStyles.detail} style={{ display: 'block' }}>
        {details.filter((text) => text !== '').join(', ')}
      </span>
    </div>
    {changedAt !== null && (
      <span className={historyStyles.detail}>
        <Time at={changedAt} />
      </span>
    )}
  </li>
)
