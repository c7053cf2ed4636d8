import { useCallback, useState } from 'react'

import type { Drafts } from './drafts.ts'

/**
 * The text of a field with its draft: what was typed before a reload, or else the saved text. Give the component a `key` with
 * the item, so that another item gets its own text.
 * @param savedText the text on the server
 * @param base its version
 */
export function useDraft(
  drafts: Drafts,
  item: string,
  savedText: string,
  base: string | null = null,
): { text: string; isDraft: boolean; type: (text: string) => void; forget: () => void } {
  const [typed, setTyped] = useState(() => drafts.read(item)?.text ?? null)
  const type = useCallback(
    (text: string) => {
      drafts.save(item, text, base)
      setTyped(text)
    },
    [drafts, item, base],
  )
  const forget = useCallback(() => {
    drafts.remove(item)
    setTyped(null)
  }, [drafts, item])
  return { text: typed ?? savedText, isDraft: typed !== null, type, forget }
}
