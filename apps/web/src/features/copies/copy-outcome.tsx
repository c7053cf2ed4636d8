import { Banner } from '../../ui/banner.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { useFields } from '../fields/use-fields.ts'
import { describeSkipped } from './copy-words.ts'
import type { CopyResult } from './use-copies.ts'
import casesStyles from '../test-cases/cases.module.css'

interface CopyOutcomeProps {
  projectId: string
  result: CopyResult
  /** The name of another project. */
  projectName: string | undefined
  /** Test cases that were to be copied. */
  wanted: number
}

const MAX_SHOWN = 50

/** What was copied where, and what the copies lack. */
export function CopyOutcome({ projectId, result, projectName, wanted }: CopyOutcomeProps) {
  const fields = useFields(projectId)
  const { test_cases: copies, skipped, failure } = result
  const [first] = copies
  const last = copies.at(-1)
  const missing = describeSkipped(skipped, fields.all)
  const ids = first?.id === last?.id ? first?.id : `${first?.id} to ${last?.id}`
  return (
    <div className={casesStyles.form} role="status">
      {failure !== null && (
        <Banner tone="error">
          <strong>
            {formatNumberOf(new Set(copies.map((copy) => copy.copy_of)).size, 'test case')} of {wanted} copied.
          </strong>{' '}
          {failure}
        </Banner>
      )}
      <p>
        {ids} {copies.length === 1 ? 'was' : 'were'} created{projectName === undefined ? '' : ` in ${projectName}`}.
      </p>
      {missing.length > 0 && (
        <>
          <p>{copies.length === 1 ? 'The copy lacks' : 'The copies lack'}:</p>
          <ul style={{ display: 'grid', gap: 4, paddingInlineStart: 20, overflowWrap: 'anywhere' }}>
            {missing.slice(0, MAX_SHOWN).map((text) => (
              <li key={text}>{text}</li>
            ))}
            {missing.length > MAX_SHOWN && <li>and {missing.length - MAX_SHOWN} more</li>}
          </ul>
        </>
      )}
    </div>
  )
}
