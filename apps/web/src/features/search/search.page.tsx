import type { SearchHit } from '@caseward/client/endpoints'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { useKeys } from '../../use-keys.ts'
import { useSearch } from '../../use-search.ts'
import { useSettled } from '../../use-settled.ts'
import { describeHit, getHitPath, hitKinds } from './hit-links.ts'
import styles from './search.module.css'
import { searchQuery } from './use-hits.ts'

const kinds = Object.keys(hitKinds) as SearchHit['kind'][]

/** `/search`: the hits in all projects, by kind. */
export function SearchPage() {
  const [{ q }, change] = useSearch(searchSchemas.search)
  const text = useSettled(q.trim())
  const field = useRef<HTMLInputElement>(null)
  useKeys({ search: () => field.current?.focus() })
  return (
    <main className={styles.page}>
      <title>{`${q === '' ? 'Search' : `Search for ${q}`} · Caseward`}</title>
      <h1>Search</h1>
      <SearchField
        ref={field}
        className={styles.field}
        label="Search all projects"
        value={q}
        onChange={(typed) => change({ q: typed }, 'replace')}
      />
      {text === '' ? (
        <p className={styles.hint}>Type an id such as WEB-12, or a part of a title or name.</p>
      ) : (
        <Hits text={text} />
      )}
    </main>
  )
}

function Hits({ text }: { text: string }) {
  const results = useQueries({ queries: kinds.map((kind) => searchQuery(text, kind)) })
  const projects = useQuery(queries.projects())
  const names = new Map(projects.data?.map(({ id, name }) => [id, name]))
  const failed = results.find(({ error }) => error !== null)
  if (failed !== undefined) {
    return (
      <ErrorMessage
        title="The search failed."
        onRetry={() => void Promise.all(results.map(({ refetch }) => refetch()))}
      >
        {describeFailure(failed.error).message}
      </ErrorMessage>
    )
  }
  if (results.some(({ data }) => data === undefined)) {
    return (
      <Loading label="Searching">
        <SkeletonRows count={6} />
      </Loading>
    )
  }
  if (results.every(({ data }) => data?.length === 0)) {
    return (
      <EmptyState drawing="search" title="Nothing matches" help="keys">
        {`No test case, run, milestone or project of yours contains “${text}”. Titles of test cases are searched for three letters or more.`}
      </EmptyState>
    )
  }
  return kinds.map((kind, index) => (
    <HitList key={kind} heading={hitKinds[kind]} hits={results[index]?.data ?? []} names={names} />
  ))
}

function HitList({
  heading,
  hits,
  names,
}: {
  heading: string
  hits: readonly SearchHit[]
  names: ReadonlyMap<string, string>
}) {
  if (hits.length === 0) return null
  return (
    <section className={styles.kind} aria-label={heading}>
      <h2 className={styles.heading}>{heading}</h2>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.project_id} ${hit.id}`} className={styles.hit}>
            <Link className={styles.title} to={getHitPath(hit)} title={hit.title}>
              {hit.title}
            </Link>
            <span className={styles.detail}>{describeHit(hit, names)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
