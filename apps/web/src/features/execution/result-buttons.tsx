import type { ResultStatus } from '@caseward/client/endpoints'

import { keys, toAriaKeyShortcuts } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { usePreference } from '../../use-preferences.ts'
import styles from './result-buttons.module.css'
import type { Execution } from './use-execution.ts'
import { statusKeys } from './use-execution-keys.ts'

const settable = ['passed', 'failed', 'blocked', 'retest'] as const satisfies readonly ResultStatus[]

/** One button for each status. With Shift, the test case stays open. */
export function ResultButtons({ execution }: { execution: Execution }) {
  const { current, selection, set, steps } = execution
  const areKeysOn = usePreference('singleLetterKeys')
  const isBulk = selection.selected.length > 0
  const status = isBulk ? undefined : (execution.chosenStatus ?? current?.status)
  const suggested = isBulk ? null : steps.suggested
  return (
    <div className={styles.buttons} role="group" aria-label="Result">
      {settable.map((value) => {
        const { bindings } = keys[statusKeys[value]]
        return (
          <Button
            key={value}
            size="result"
            className={classNames(
              styles.button,
              value === status && styles.current,
              value === suggested && styles.suggested,
            )}
            aria-pressed={value === status}
            title={value === suggested ? 'The steps suggest this status' : undefined}
            aria-keyshortcuts={areKeysOn ? toAriaKeyShortcuts(bindings, false) : undefined}
            shortcut={areKeysOn ? bindings[0] : undefined}
            onClick={(event) => set(value, event.shiftKey)}
          >
            <StatusWord status={value} />
          </Button>
        )
      })}
      {suggested !== null && (
        <Button
          variant="quiet"
          className={styles.suggestion}
          shortcut={areKeysOn ? keys.suggested.bindings[0] : undefined}
          onClick={() => set(suggested, false)}
        >
          Suggested: <StatusWord status={suggested} />
        </Button>
      )}
      {status !== undefined && status !== 'not_tested' && (
        <Button
          variant="quiet"
          className={styles.clear}
          shortcut={areKeysOn ? keys.notTested.bindings[0] : undefined}
          onClick={() => set('not_tested', true)}
        >
          Back to not tested
        </Button>
      )}
    </div>
  )
}
