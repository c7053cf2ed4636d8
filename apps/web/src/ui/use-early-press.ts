import { type FocusEvent, type MouseEvent, useEffect, useRef } from 'react'

/** Where the button is that the user focused or pressed before its code was loaded. */
interface EarlyPress {
  readonly parent: Element
  readonly index: number
  readonly isPressed: boolean
}

/** What the button needs while the code is loaded. */
export interface EarlyPressHandlers {
  readonly onPointerDown: (event: MouseEvent) => void
  readonly onClick: (event: MouseEvent) => void
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: () => void
}

/**
 * Keeps what the user does with a button that stands in for one whose code is still being loaded: the loaded one, which
 * takes its place, gets the focus and the press.
 */
export function useEarlyPress(isLoaded: boolean): EarlyPressHandlers {
  const early = useRef<EarlyPress | null>(null)
  useEffect(() => {
    const press = early.current
    if (!isLoaded || press === null) return
    early.current = null
    const button = press.parent.children[press.index]
    if (!(button instanceof HTMLElement)) return
    button.focus()
    if (press.isPressed) button.click()
  }, [isLoaded])
  const remember = (button: EventTarget & Element, isPressed: boolean) => {
    const parent = button.parentElement
    if (parent !== null) early.current = { parent, index: [...parent.children].indexOf(button), isPressed }
  }
  const press = ({ button, currentTarget }: MouseEvent) => {
    if (button === 0) remember(currentTarget, true)
  }
  return {
    onPointerDown: press,
    onClick: press,
    onFocus: ({ currentTarget }) => remember(currentTarget, early.current?.isPressed === true),
    // A button that is replaced loses the focus, too, but is no longer in the page then.
    onBlur: () => {
      early.current = null
    },
  }
}
