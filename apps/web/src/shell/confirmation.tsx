import type { ConfirmationMethod } from '@caseward/client/endpoints'
import { useEffect, useState } from 'react'

import { onConfirmationRequired } from '../request-failed.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const ConfirmationDialog = lazyPart(async () => (await import('./confirmation-dialog.tsx')).ConfirmationDialog, {
  isDialog: true,
})

/** What a request waits for. */
interface Question {
  readonly methods: readonly ConfirmationMethod[]
  readonly answer: (isConfirmed: boolean) => void
}

/** Asks users to confirm who they are, once for all requests that wait for it. */
export function Confirmation() {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    let asked: Promise<boolean> | null = null
    return onConfirmationRequired((methods) => {
      asked ??= new Promise((resolve) => {
        const focused = document.activeElement
        setQuestion({
          methods,
          answer(isConfirmed) {
            asked = null
            setQuestion(null)
            resolve(isConfirmed)
            // The dialog that may be below does not know this one, and gives the focus to its first control.
            requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus())
          },
        })
      })
      return asked
    })
  }, [])
  return question && <ConfirmationDialog methods={question.methods} onAnswer={question.answer} />
}
