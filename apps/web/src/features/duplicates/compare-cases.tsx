import type { DuplicateGroup } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { VersionDiff } from '../case-versions/version-diff.tsx'
import conflictStyles from '../test-cases/case-conflict.module.css'
import { usePeople } from '../test-cases/use-people.ts'

const MergeTwo = lazySection(async () => (await import('./merge-parts.ts')).MergeTwo)

interface CompareCasesProps {
  projectId: string
  mayMerge: boolean
  testCases: DuplicateGroup['test_cases']
}

/** Two test cases of a group, and what differs from the one to the other. */
export function CompareCases({ projectId, mayMerge, testCases }: CompareCasesProps) {
  const ids = testCases.map(({ id }) => id)
  const [chosen, setChosen] = useState<readonly [string, string]>([ids[0] ?? '', ids[1] ?? ''])
  // One of them may have been deleted meanwhile.
  const one = ids.includes(chosen[0]) ? chosen[0] : (ids.find((id) => id !== chosen[1]) ?? '')
  const other = ids.includes(chosen[1]) && chosen[1] !== one ? chosen[1] : (ids.find((id) => id !== one) ?? '')
  const before = useQuery(queries.case(projectId, one))
  const after = useQuery(queries.case(projectId, other))
  const folders = useQuery(queries.folders(projectId))
  const { getPerson } = usePeople(projectId)
  const error = before.error ?? after.error ?? folders.error
  const retry = () => void Promise.all([before.refetch(), after.refetch(), folders.refetch()])
  return (
    <section className={conflictStyles.conflict} style={{ paddingInline: 0 }} aria-label={`${one} and ${other}`}>
      <div className={conflictStyles.versions}>
        {([one, other] as const).map((id, place) => (
          <div key={place === 0 ? 'one' : 'other'}>
            <Select
              label={place === 0 ? 'Compare' : 'with'}
              value={id}
              options={ids
                .filter((value) => value !== (place === 0 ? other : one))
                .map((value) => ({ value, label: value }))}
              onChange={(value) => setChosen(place === 0 ? [value, other] : [one, value])}
            />
            <p style={{ overflowWrap: 'anywhere' }}>{testCases.find((testCase) => testCase.id === id)?.title}</p>
          </div>
        ))}
      </div>
      {error !== null ? (
        <ErrorMessage title="The test cases could not be loaded." onRetry={retry}>
          {describeFailure(error, { noun: 'test case' }).message}
        </ErrorMessage>
      ) : before.data === undefined || after.data === undefined || folders.data === undefined ? (
        <Loading label="Loading the test cases">
          <SkeletonRows count={3} />
        </Loading>
      ) : (
        <>
          <VersionDiff before={before.data} after={after.data} context={{ folders: folders.data, getPerson }} />
          {mayMerge && <MergeTwo {...{ projectId, one, other }} />}
        </>
      )}
    </section>
  )
}
