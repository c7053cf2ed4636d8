import type { SimilarForTests as Found, SimilarTestCase } from '@caseward/client/endpoints'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import { SIMILARITY_WORDS } from '../duplicates/similarity-words.ts'
import styles from './similar-for-tests.module.css'
import { getChoiceId, type SimilarChoices } from './use-similar-for-tests.ts'

/** So many test cases to be created are shown at first, and with each click on “Show more”. */
const STEP = 25

/** Test cases that exist and are like those that tests would get. Choosing one links the tests to it instead. */
export function SimilarForTests({ projectId, choices }: { projectId: string; choices: SimilarChoices }) {
  const { found, compared, remaining, isComplete, error, isLoading } = choices
  const [limit, setLimit] = useState(STEP)
  return (
    <section className={styles.similar} aria-label="Similar test cases">
      <p role="status">
        {isLoading
          ? 'Looking for similar test cases…'
          : error === null && describeFound(found.length, compared, isComplete)}
      </p>
      {error !== null && (
        <Banner tone="warning" actions={<Button onClick={choices.retry}>Try again</Button>}>
          Similar test cases could not be looked for. {describeFailure(error, { noun: 'run' }).message}
        </Banner>
      )}
      {found.length > 0 && (
        <ul className={styles.list}>
          {found.slice(0, limit).map((item) => (
            <li key={getChoiceId(item)} className={styles.item}>
              <p className={styles.title}>{item.title}</p>
              <p className={styles.muted}>{describeTests(item)}</p>
              <ul className={styles.list}>
                {item.similar.map((similar) => (
                  <SimilarLine key={similar.id} {...{ projectId, item, similar, choices }} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {found.length > limit && (
        <div>
          <Button onClick={() => setLimit(limit + STEP)}>{`Show ${formatCount(
            Math.min(STEP, found.length - limit),
          )} more of ${formatCount(found.length)}`}</Button>
        </div>
      )}
      {remaining > 0 && (
        <div className={styles.line}>
          <span>{`${formatNumberOf(remaining, 'test')} not compared yet.`}</span>
          <Button isBusy={choices.isLoadingMore} onClick={choices.loadMore}>
            Compare more
          </Button>
        </div>
      )}
    </section>
  )
}

function describeFound(count: number, compared: number, isComplete: boolean): string {
  const words =
    count === 0
      ? `No similar test case exists for ${compared === 1 ? 'this test' : `these ${formatNumberOf(compared, 'test')}`}.`
      : `${count === 1 ? 'One' : formatCount(count)} of the test cases may exist already. Nothing is linked unless you choose it.`
  return isComplete ? words : `${words} Older test cases of this large project were compared by their whole title only.`
}

function describeTests({ tests }: Found): string {
  const [first, ...others] = tests
  return others.length === 0
    ? (first?.name ?? '')
    : `${first?.name ?? ''} and ${formatNumberOf(others.length, 'other test')}`
}

interface SimilarLineProps {
  projectId: string
  item: Found
  similar: SimilarTestCase
  choices: SimilarChoices
}

function SimilarLine({ projectId, item, similar, choices }: SimilarLineProps) {
  const isChosen = choices.getChosen(item) === similar.id
  return (
    <li className={styles.line}>
      <span className={styles.name}>
        <Link to={paths.case(projectId, similar.id)} target="_blank" rel="noopener">
          {similar.id}
        </Link>{' '}
        {similar.title}
        <span className={styles.muted}> · {SIMILARITY_WORDS[similar.same]}</span>
      </span>
      <Button
        aria-pressed={isChosen}
        aria-label={`Use this one: ${similar.id} for ${item.title}`}
        icon={isChosen ? <Check /> : undefined}
        variant={isChosen ? 'primary' : 'default'}
        onClick={() => choices.choose(item, isChosen ? null : similar.id)}
      >
        Use this one
      </Button>
    </li>
  )
}
