import { holdTypingForField } from '../../hold-typing-for-field.ts'
import { useKeys } from '../../use-keys.ts'

/** The result whose comments are awaited since the key was pressed. */
let awaitedId: string | null = null

/**
 * Takes the place of the comments while their code is loaded. After the key, what is typed waits for the field: it must not act as
 * keys of the page, which set results.
 */
export function EarlyCommentKey({ resultId }: { resultId: string }): null {
  useKeys({
    comment() {
      awaitedId = resultId
      holdTypingForField()
    },
  })
  return null
}

/**
 * Whether the field of a new comment on a result is to take the focus, because its key was pressed there before the field was. True
 * once: on another result, the next keys are meant for the page.
 */
export function takeEarlyKey(resultId: string): boolean {
  const isAwaited = awaitedId === resultId
  awaitedId = null
  return isAwaited
}
