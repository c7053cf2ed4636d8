import { isWebAddress } from '@caseward/matching/web-address'
import type { OutcomePart } from '@caseward/client/endpoints'
import ExternalLink from 'lucide-react/icons/external-link'
import type { ReactNode } from 'react'

import { OutcomeWord } from './attempt-marks.tsx'
import { describePlace } from './describe-part.ts'
import { AttemptList } from './test-attempts.tsx'
import styles from './test-attempts.module.css'

interface TestPartsProps {
  parts: readonly OutcomePart[]
  /** Whether an attempt of a source has files. */
  hasFiles?: (source: number) => boolean
  /** Renders the files of an attempt of a source. */
  renderFiles?: (source: number, attempt: number) => ReactNode
}

/** What each CI job, or each of its reports, said of a test, with the attempts there. The worst counts. */
export const TestParts = ({ parts, hasFiles, renderFiles }: TestPartsProps) => (
  <section className={styles.section} aria-label="Reported by">
    <h3 className={styles.heading}>Reported by</h3>
    <ul className={styles.attempts}>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
        <li key={index} className={styles.attempt}>
          <p className={styles.facts}>
            <OutcomeWord status={part.outcome} />
            <PartJob part={part} />
            <span className={styles.place}>{describePlace(part)}</span>
            {part.is_flaky && <span className={styles.flaky}>flaky</span>}
          </p>
          {(hasMore(part) || hasFiles?.(part.source) === true) && (
            <details className={styles.part} open={part.outcome !== 'passed' || part.is_flaky || parts.length === 1}>
              <summary>{part.attempts.length === 1 ? 'Attempt' : `${part.attempts.length} attempts`}</summary>
              <AttemptList
                attempts={part.attempts}
                renderFiles={renderFiles && ((attempt) => renderFiles(part.source, attempt))}
              />
            </details>
          )}
        </li>
      ))}
    </ul>
  </section>
)

/** The name of the job, which leads to its page. */
function PartJob({ part: { job, job_url: url } }: { part: OutcomePart }) {
  const name = job === '' ? 'Unknown job' : job
  // Anyone with a CI token can send any text.
  if (!isWebAddress(url)) return <span>{job === '' ? name : `in ${name}`}</span>
  return (
    <span>
      {job !== '' && 'in '}
      <a className={styles.job} href={url} target="_blank" rel="noopener noreferrer nofollow">
        {name}
        <ExternalLink aria-label="in a new tab" />
      </a>
    </span>
  )
}

/** Whether the sources of a test are worth a mention: several, or one that is known. */
export const hasKnownSource = (parts: readonly OutcomePart[]): boolean =>
  parts.length > 1 || parts.some(({ job }) => job !== '')

const hasMore = ({ attempts }: OutcomePart) =>
  attempts.length > 1 || attempts.some(({ message, details }) => message !== '' || details !== '')
