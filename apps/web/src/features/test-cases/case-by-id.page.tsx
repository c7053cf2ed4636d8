import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { parseCaseId, paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import styles from './case-page.module.css'

/** `/WEB-12`: opens the test case, or offers a choice if several projects have the prefix. */
export function CaseByIdPage() {
  const { caseId = '' } = useParams()
  const parsed = parseCaseId(caseId)
  const projects = useQuery({ ...queries.projects(), enabled: parsed !== null })
  if (parsed === null) return <NotFoundPage />
  if (projects.error !== null) {
    return (
      <main className={styles.page}>
        <title>{`${parsed.id} · Caseward`}</title>
        <ErrorMessage title="The projects could not be loaded." onRetry={() => void projects.refetch()}>
          {describeFailure(projects.error).message}
        </ErrorMessage>
      </main>
    )
  }
  if (projects.data === undefined) return null
  const found = projects.data.filter(({ prefix }) => prefix === parsed.prefix)
  const [first] = found
  if (first === undefined) return <NotFoundPage />
  if (found.length === 1) return <Navigate to={paths.case(first.id, parsed.id)} replace />
  return (
    <main className={styles.page}>
      <title>{`${parsed.id} · Caseward`}</title>
      <h1>Which {parsed.id}?</h1>
      <p>Several of your projects have this prefix.</p>
      <ul className={styles.choices}>
        {found.map(({ id, name }) => (
          <li key={id}>
            <Link to={paths.case(id, parsed.id)}>{name}</Link>
          </li>
        ))}
      </ul>
    </main>
  )
}
