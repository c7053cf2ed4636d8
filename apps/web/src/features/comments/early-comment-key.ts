import { holdTypingForField } from '../../hold-typing-for-field.ts'
import { useKeys } from '../../use-keys.ts'

let isAwaited = false

/**
 * Takes the place of the comments while their code is loaded. After the key, what is typed waits for the field: it must not act as
 * keys of the page, which set results.
 */
export function EarlyCommentKey(): null {
  useKeys({
    comment() {
      isAwaited = true
      holdTypingForField()
    },
  })
  return null
}

/** Whether the field of a new comment is to take the focus, because its key was pressed before the field was there. True once. */
export function takeEarlyKey(): boolean {
  const wasAwaited = isAwaited
  isAwaited = false
  return wasAwaited
}
