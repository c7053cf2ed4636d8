import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'

import { queries } from '../../api.ts'
import { parseCaseId } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Field } from '../../ui/field.tsx'
import { useSettled } from '../../use-settled.ts'
import styles from './tests-dialogs.module.css'

interface CasePickerProps {
  projectId: string
  /** The id of the chosen test case. */
  value: string | null
  onChange: (caseId: string | null) => void
  input: RefObject<HTMLInputElement | null>
}

/** A choice of a test case: typing a part of the title or the id finds it, the arrow keys move in the list. */
export function CasePicker({ projectId, value, onChange, input }: CasePickerProps) {
  const [search, setSearch] = useState('')
  const id = useId()
  const { cases, isWaiting, error, retry } = useFoundCases(projectId, search)
  const current = cases.findIndex((testCase) => testCase.id === value)
  const optionId = (index: number) => `${id}-${index}`

  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(current + step, 0), cases.length - 1)
    const chosen = cases[next]
    if (chosen === undefined) return
    onChange(chosen.id)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className={styles.picker}>
      <Field label="Test case" isLabelHidden>
        {(control) => (
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            autoComplete="off"
            maxLength={255}
            placeholder="Find by title or id"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={current === -1 ? undefined : optionId(current)}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              // What Enter would link is always in sight.
              onChange(null)
            }}
            onKeyDown={handleKey}
          />
        )}
      </Field>
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox */}
      <ul id={`${id}-list`} className={styles.cases} role="listbox" aria-label="Test cases">
        {cases.map((testCase, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
          <li
            key={testCase.id}
            id={optionId(index)}
            className={classNames(styles.option, testCase.id === value && styles.current)}
            role="option"
            aria-selected={testCase.id === value}
            title={testCase.title}
            // The field keeps the focus, so that Enter links.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChange(testCase.id)}
          >
            <span className={styles.id}>{testCase.id}</span>
            <span className={styles.caseTitle}>{testCase.title}</span>
          </li>
        ))}
      </ul>
      {/* oxlint-enable jsx-a11y/no-noninteractive-element-to-interactive-role */}
      {error !== null && (
        <ErrorMessage title="The test cases could not be loaded." onRetry={retry}>
          {describeFailure(error, { noun: 'project' }).message}
        </ErrorMessage>
      )}
      {!isWaiting && error === null && cases.length === 0 && <p className={styles.none}>No test case matches.</p>}
    </div>
  )
}

/** The test case with this id first, then those whose title contains the text, up to 100. */
function useFoundCases(projectId: string, search: string) {
  const text = useSettled(search.trim())
  const caseId = parseCaseId(text)?.id
  const byTitle = useQuery({
    ...queries.searchedCases(projectId, text === '' ? {} : { search: text }),
    placeholderData: keepPreviousData,
  })
  const byId = useQuery({ ...queries.case(projectId, caseId ?? ''), enabled: caseId !== undefined })
  const exact = caseId !== undefined && byId.data?.id === caseId ? [byId.data] : []
  const found = byTitle.data?.rows ?? []
  return {
    cases: [...exact, ...found.filter(({ id }) => id !== exact[0]?.id)].map(({ id, title }) => ({ id, title })),
    isWaiting: byTitle.isPending || byTitle.isPlaceholderData || byId.isFetching || text !== search.trim(),
    error: byTitle.error,
    retry: () => void byTitle.refetch(),
  }
}
