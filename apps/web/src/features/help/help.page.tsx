import { useQuery } from '@tanstack/react-query'
import MarkdownToJsx from 'markdown-to-jsx'
import type { ComponentProps } from 'react'
import { Link, Navigate, useParams } from 'react-router'

import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import { guidePages, loadGuidePage, resolveGuideLink, resolveGuidePicture } from './guide.ts'
import styles from './help.module.css'

/** `/help/:page`: the user guide of this version. */
export function HelpPage() {
  const { page: name } = useParams()
  const page = guidePages.find((known) => known.name === name)
  const text = useQuery({
    queryKey: ['help', name],
    queryFn: () => loadGuidePage(name ?? ''),
    enabled: page !== undefined,
    staleTime: Infinity,
  })
  if (name === undefined) return <Navigate to={paths.help(guidePages[0]?.name)} replace />
  if (page === undefined) return <NotFoundPage />
  const next = guidePages[guidePages.indexOf(page) + 1]
  return (
    <div className={styles.page}>
      <title>{`${page.title} · Help · Caseward`}</title>
      <nav className={styles.contents} aria-label="User guide">
        <ol>
          {guidePages.map((known) => (
            <li key={known.name}>
              <Link
                className={classNames(styles.entry, known === page && styles.current)}
                to={paths.help(known.name)}
                aria-current={known === page ? 'page' : undefined}
              >
                {known.title}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <main className={styles.main}>
        <LoadedPart query={text} noun="page">
          {(content) => (
            <div className={styles.text}>
              <MarkdownToJsx options={options}>{content ?? ''}</MarkdownToJsx>
            </div>
          )}
        </LoadedPart>
        {next !== undefined && (
          <p className={styles.next}>
            Next: <Link to={paths.help(next.name)}>{next.title}</Link>
          </p>
        )}
      </main>
    </div>
  )
}

function GuideLink({ href = '', children }: ComponentProps<'a'>) {
  const target = resolveGuideLink(href)
  if ('page' in target) return <Link to={paths.help(target.page)}>{children}</Link>
  return (
    <a href={target.url} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

const Picture = ({ src = '', alt = '' }: ComponentProps<'img'>) => (
  <img className={styles.picture} src={resolveGuidePicture(src)} alt={alt} loading="lazy" width={1440} height={900} />
)

const ScrollingTable = (props: ComponentProps<'table'>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
  <div className={styles.table} role="group" aria-label="Table" tabIndex={0}>
    <table {...props} />
  </div>
)

const options = {
  disableParsingRawHTML: true,
  overrides: { a: GuideLink, img: Picture, table: ScrollingTable },
} as const
