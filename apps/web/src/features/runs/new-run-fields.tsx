import { TextField } from '../../ui/field.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { MAX_NAME_LENGTH } from './new-run-name.ts'
import styles from './new-run.module.css'
import type { NewRun } from './use-new-run.ts'

const NO_MILESTONE = ''

/** The name of the run, which is suggested until the user types one, and its milestone. */
export function NewRunFields({ newRun, nameError }: { newRun: NewRun; nameError: string | null }) {
  const { choice, change, milestones, name, suggestedName } = newRun
  const isNarrow = useNarrow()
  const isOwnName = choice.name !== null && choice.name !== suggestedName
  return (
    <div className={styles.fields}>
      <TextField
        label="Name"
        required
        value={name}
        maxLength={MAX_NAME_LENGTH}
        limit={MAX_NAME_LENGTH}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for a new run; a phone would open its keyboard
        autoFocus={!isNarrow}
        // What is typed takes the place of a suggestion.
        onFocus={({ target }) => !isOwnName && target.select()}
        error={nameError}
        onChange={({ target }) => change({ name: target.value })}
        hint={
          isOwnName ? (
            <span className={styles.suggestion}>
              <Button variant="quiet" onClick={() => change({ name: null })}>
                Use “{suggestedName}”
              </Button>
            </span>
          ) : (
            'Suggested from the milestone and the day.'
          )
        }
      />
      {milestones.length > 0 && (
        <Select
          label="Milestone"
          value={choice.milestoneId ?? NO_MILESTONE}
          options={[
            { value: NO_MILESTONE, label: 'No milestone' },
            ...milestones.map(({ id, name: label }) => ({ value: id, label })),
          ]}
          onChange={(id) => change({ milestoneId: id === NO_MILESTONE ? null : id })}
        />
      )}
    </div>
  )
}
