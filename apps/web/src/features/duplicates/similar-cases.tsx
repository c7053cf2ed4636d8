import type { SimilarTestCase, TestCase } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'

import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { useCaseActions } from '../test-cases/use-case-actions.ts'
import { similarTo } from './duplicate-queries.ts'
import { SIMILARITY_WORDS } from './similarity-words.ts'

interface SimilarCasesProps {
  projectId: string
  /** The new test case, as it is saved. */
  testCase: TestCase
}

/** What is like a new test case, once its title was left. The search is a help: if it fails, nothing is missing. */
export function SimilarCases({ projectId, testCase }: SimilarCasesProps) {
  const { data } = useQuery({ ...similarTo(projectId, testCase.title), enabled: testCase.title !== '' })
  const found = (data?.data ?? []).filter(({ id }) => id !== testCase.id)
  const [, setSearch] = useSearchParams()
  const actions = useCaseActions(projectId)
  function use({ id }: SimilarTestCase): void {
    if (hasOnlyTitle(testCase)) actions.remove([testCase.id])
    else showToast({ message: `${testCase.id} is kept: it has more than a title` })
    setSearch((search) => new URLSearchParams([...search].filter(([name]) => name !== 'case').concat([['case', id]])))
  }
  return (
    <div role="status">
      {found.length > 0 && (
        <Banner tone="info">
          <p>{found.length === 1 ? 'This test case exists already?' : 'One of these exists already?'}</p>
          <ul style={{ display: 'grid', gap: 6, margin: 0, padding: 0, listStyle: 'none' }}>
            {found.map((similar) => (
              <li key={similar.id} style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 }}>
                <span style={{ flex: '1 1 12rem', overflowWrap: 'anywhere' }}>
                  <Link to={paths.case(projectId, similar.id)}>{similar.id}</Link> {similar.title}
                  <span style={{ color: 'var(--muted)' }}> · {SIMILARITY_WORDS[similar.same]}</span>
                </span>
                <Button aria-label={`Use this one: ${similar.id}`} onClick={() => use(similar)}>
                  Use this one
                </Button>
              </li>
            ))}
          </ul>
          {data?.meta.is_complete === false && <p>There may be more: the search was ended early.</p>}
        </Banner>
      )}
    </div>
  )
}

const hasOnlyTitle = ({ precondition, steps, expected_result: expected, tags, automation_keys: keys }: TestCase) =>
  precondition === '' && steps.length === 0 && expected === '' && tags.length === 0 && keys.length === 0
