import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Moves the focus to the content of the page: its heading, or all of it. */
export function focusContent(): void {
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (target === null) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}

/**
 * Moves the focus to a page that was opened, as a browser does: otherwise it is lost with the link, and screen readers say
 * nothing. Not if the page itself has placed the focus, or if the link is still there, as tabs are.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const focused = document.activeElement?.closest('main, [role=dialog]') ?? null
    if (focused === null) focusContent()
  }, [pathname])
}
