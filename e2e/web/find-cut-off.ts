import type { Page } from 'playwright-core'

/** Sets the spacing of WCAG 1.4.12, as a user does with a style sheet of the browser. */
export const setTextSpacing = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`* {
      line-height: 1.5 !important;
      letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important;
    }
    p { margin-block-end: 2em !important; }`)
    document.adoptedStyleSheets = [sheet]
  })

/**
 * Finds text that is cut off: above or below the box that hides it, or at its end without an ellipsis. Text for screen
 * readers only, and areas that scroll, are not meant.
 * @returns one line for each
 */
export const findCutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const isHiding = (value: string) => value === 'hidden' || value === 'clip'
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      if (!text || !element.checkVisibility({ visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(element)
      const inner = range.getBoundingClientRect()
      for (let box: HTMLElement | null = element; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        const outer = box.getBoundingClientRect()
        // Outside of what scrolls, or for screen readers only.
        if (style.overflowY === 'auto' || style.overflowY === 'scroll' || outer.width <= 2) break
        const isCutBelow = isHiding(style.overflowY) && (inner.bottom > outer.bottom + 2 || inner.top < outer.top - 2)
        const isCutAside =
          isHiding(style.overflowX) && style.textOverflow !== 'ellipsis' && inner.right > outer.right + 2
        if (isCutBelow || isCutAside) {
          const words = element.textContent.trim().slice(0, 40)
          found.push(`${element.tagName} “${words}” is cut off ${isCutBelow ? 'above or below' : 'at its end'}`)
          break
        }
        if (style.textOverflow === 'ellipsis' && isHiding(style.overflowX)) break
      }
    }
    return found
  })

/** Whether the page scrolls sideways. */
export const hasSidewaysScroll = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Finds controls outside of the window that no scrolling can reach. @returns their names */
export const findUnreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.body.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href]')) {
      const { left, right, width } = element.getBoundingClientRect()
      if (width <= 2 || !element.checkVisibility({ visibilityProperty: true })) continue
      if (left >= -1 && right <= innerWidth + 1) continue
      let canScroll = false
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const { overflowX } = getComputedStyle(box)
        if ((overflowX === 'auto' || overflowX === 'scroll') && box.scrollWidth > box.clientWidth) canScroll = true
      }
      if (!canScroll) found.push(element.getAttribute('aria-label') ?? element.textContent.slice(0, 40))
    }
    return found
  })
