import type { TestCase } from '@caseward/client/endpoints'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { CaseEditing } from './case-editing.ts'
import styles from './case-editor.module.css'
import { splitText, toTextSteps } from '@caseward/case-files/convert-template'
import { joinSteps } from '@caseward/case-files/join-steps'
import stepStyles from './steps-editor.module.css'
import { MAX_TEXT, TextBlock } from './text-block.tsx'
import { MAX_STEPS } from './use-steps.ts'

interface CaseTextProps {
  shown: TestCase
  editing: CaseEditing
  mayEdit: boolean
  error: string | null
}

/** A test case that is one text: the text, and its way back to steps. */
export function CaseText({ shown, editing, mayEdit, error }: CaseTextProps) {
  const [isEditing, setIsEditing] = useState(false)
  const [isSplitting, setIsSplitting] = useState(false)
  const text = joinSteps(shown.steps)
  const leave = () => {
    setIsEditing(false)
    editing.save()
  }
  const split = () => {
    editing.change({ template: 'steps', steps: [...splitText(text)] })
    editing.save()
  }
  if (!mayEdit && text === '') return null
  return (
    <section className={styles.section} aria-label="Text">
      <h2 className={styles.heading}>Text</h2>
      <div className={styles.text}>
        <TextBlock
          label="text"
          text={text}
          placeholder="What to do, and what must happen"
          isEditing={isEditing}
          error={error}
          onEdit={mayEdit ? () => setIsEditing(true) : undefined}
          onType={(typed) => editing.change({ steps: toTextSteps(typed) })}
          onLeave={leave}
          onEscape={leave}
        />
      </div>
      {mayEdit && isSplitting ? (
        <SplitPreview text={text} onSplit={split} onCancel={() => setIsSplitting(false)} />
      ) : (
        mayEdit && (
          <Button
            variant="quiet"
            className={stepStyles.add}
            // A text of one line becomes one step: there is nothing to look at first.
            onClick={() => (splitText(text).length > 1 ? setIsSplitting(true) : split())}
          >
            Write as steps
          </Button>
        )
      )}
    </section>
  )
}

interface SplitPreviewProps {
  text: string
  onSplit: () => void
  onCancel: () => void
}

/** What the text would be as steps. */
function SplitPreview({ text, onSplit, onCancel }: SplitPreviewProps) {
  const steps = splitText(text)
  const isTooLong = steps.length > MAX_STEPS
  return (
    <div className={stepStyles.pasted} role="group" aria-label="The text as steps">
      <p className={stepStyles.pastedTitle}>{formatNumberOf(steps.length, 'step')} in this text</p>
      <ol className={stepStyles.preview}>
        {steps.slice(0, MAX_STEPS).map(({ action, expected }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines have no other identity
          <li key={index} className={stepStyles.previewStep}>
            <span>{action}</span>
            <span className={stepStyles.previewExpected}>{expected}</span>
          </li>
        ))}
      </ol>
      {isTooLong && (
        <p className={stepStyles.error}>A test case has at most {MAX_STEPS} steps: shorten the text first.</p>
      )}
      <div className={stepStyles.actions}>
        {!isTooLong && (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed is gone
          <Button variant="primary" autoFocus onClick={onSplit}>
            Write {formatNumberOf(steps.length, 'step')}
          </Button>
        )}
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** Turns the steps into one text. What cannot be said in one stays as it is, with the reason. */
export function WriteAsText({ shown, editing }: Pick<CaseTextProps, 'shown' | 'editing'>) {
  const text = joinSteps(shown.steps)
  const isTooLong = text.length > MAX_TEXT
  return (
    <Button
      variant="quiet"
      className={stepStyles.add}
      disabled={isTooLong}
      title={isTooLong ? 'These steps are longer than one text can be' : undefined}
      onClick={() => {
        editing.change({ template: 'text', steps: toTextSteps(text) })
        editing.save()
      }}
    >
      Write as text
    </Button>
  )
}
