import type { Page } from 'playwright-core'

/**
 * Finds text that is cut off or overlaps other text, and what scrolls sideways. Text that ends with an ellipsis is no fault if
 * hovering shows all of it; tables, charts and code in texts may scroll, as in WCAG 1.4.10.
 */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    /** Pixels that fonts may differ by. */
    const TOLERANCE = 2
    const SMALLEST = 60

    type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
    const everything: Box = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }
    type Style = Pick<
      CSSStyleDeclaration,
      'clipPath' | 'contain' | 'overflowX' | 'overflowY' | 'position' | 'textOverflow' | 'webkitLineClamp'
    >
    interface Text {
      words: string
      element: HTMLElement
      rects: DOMRect[]
      /** The parts of these that are drawn. */
      drawn: Box[]
      /** What moves and covers as a whole: only texts of one layer can overlap by mistake. */
      layer: Element
    }

    const describe = ({ words, element }: Pick<Text, 'words' | 'element'>) =>
      `“${words.slice(0, 40)}” in ${element.tagName.toLowerCase()}.${element.className}`
    const isHiddenOverflow = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const clips = ({ contain }: Style, overflow: string) =>
      isHiddenOverflow(overflow) || /strict|content|paint/.test(contain)
    const hasScrollbar = ({ overflowX, overflowY }: Style) =>
      [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll')

    /** Asks for each element once: many texts have the same ancestors, and nothing moves meanwhile. */
    function once<T>(find: (element: Element) => T): (element: Element) => T {
      const found = new Map<Element, T>()
      return (element) => {
        const earlier = found.get(element)
        if (earlier !== undefined) return earlier
        const result = find(element)
        found.set(element, result)
        return result
      }
    }
    const getBox = once((element) => element.getBoundingClientRect())
    const getStyle = once((element): Style => {
      const { clipPath, contain, overflowX, overflowY, position, textOverflow, webkitLineClamp } =
        getComputedStyle(element)
      return { clipPath, contain, overflowX, overflowY, position, textOverflow, webkitLineClamp }
    })

    /** Text for screen readers only is one pixel large, or clipped. */
    const isForScreenReaders = once((element): boolean => {
      const { width, height } = getBox(element)
      const { clipPath, overflowX } = getStyle(element)
      if (clipPath !== 'none' || (width <= 1 && height <= 1 && isHiddenOverflow(overflowX))) return true
      return element.parentElement !== null && isForScreenReaders(element.parentElement)
    })
    const findLayer = once((element): Element => {
      const parent = element.parentElement
      if (parent === null || parent === document.body) return element
      const style = getStyle(element)
      if (style.position === 'fixed' || style.position === 'sticky' || hasScrollbar(style)) return element
      return findLayer(parent)
    })
    /** What an element and its ancestors leave of what is inside of it. */
    const findClip = once((element): Box => {
      const { overflowX, overflowY, position } = getStyle(element)
      const box = getBox(element)
      const parent = position === 'fixed' ? null : element.parentElement
      const outer = parent === null ? everything : findClip(parent)
      return {
        left: overflowX === 'visible' ? outer.left : Math.max(outer.left, box.left),
        right: overflowX === 'visible' ? outer.right : Math.min(outer.right, box.right),
        top: overflowY === 'visible' ? outer.top : Math.max(outer.top, box.top),
        bottom: overflowY === 'visible' ? outer.bottom : Math.min(outer.bottom, box.bottom),
      }
    })
    function findDrawn(rects: readonly DOMRect[], element: HTMLElement): Box[] {
      const clip = findClip(element)
      return rects.map(({ left, right, top, bottom }) => ({
        left: Math.max(left, clip.left),
        right: Math.min(right, clip.right),
        top: Math.max(top, clip.top),
        bottom: Math.min(bottom, clip.bottom),
      }))
    }
    function collectTexts(): Text[] {
      const texts: Text[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const words = node.textContent?.trim() ?? ''
        const element = node.parentElement
        if (words === '' || element === null || element.tagName === 'TEXTAREA') continue
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
        if (isForScreenReaders(element)) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
        if (rects.length === 0) continue
        texts.push({ words, element, rects, drawn: findDrawn(rects, element), layer: findLayer(element) })
      }
      return texts
    }

    function isCutOff({ element, rects }: Text): boolean {
      let [mayX, mayY] = [true, true]
      for (let current: Element | null = element; current !== null && (mayX || mayY); current = current.parentElement) {
        const style = getStyle(current)
        const box = getBox(current)
        const isShortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
        const hasFullText = isShortened && (element.closest('[title]') ?? current.closest('[title]')) !== null
        if (mayX && clips(style, style.overflowX) && !hasFullText) {
          if (rects.some((rect) => rect.left < box.left - TOLERANCE || rect.right > box.right + TOLERANCE)) return true
        }
        if (mayY && clips(style, style.overflowY) && !hasFullText) {
          if (rects.some((rect) => rect.top < box.top - TOLERANCE || rect.bottom > box.bottom + TOLERANCE)) return true
        }
        // Beyond the edge of these, nothing of the text is drawn.
        if (isShortened && isHiddenOverflow(style.overflowX)) mayX = false
        if (hasScrollbar(style)) [mayX, mayY] = [false, false]
        if (style.position === 'fixed') return false
      }
      return false
    }

    function findOverlaps(texts: readonly Text[]): string[] {
      const isOverlap = (a: Box, b: Box) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > TOLERANCE &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > TOLERANCE + 2
      return texts.flatMap((a, index) =>
        texts
          .slice(index + 1)
          .filter((b) => a.layer === b.layer && a.drawn.some((box) => b.drawn.some((other) => isOverlap(box, other))))
          .map((b) => `${describe(a)} overlaps ${describe(b)}`),
      )
    }

    function findSidewaysScrolling(): string[] {
      const { scrollWidth, clientWidth } = document.documentElement
      const inside = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
        const style = getStyle(element)
        if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth <= 1) return false
        if (style.overflowX !== 'auto' && style.overflowX !== 'scroll') return false
        // Tables whose columns are virtual say how many there are.
        if (element.ariaColCount !== null) return false
        if (element.firstElementChild?.matches('svg[role=img]') === true) return false
        return element.querySelector('table, pre') === null && element.tagName !== 'PRE'
      })
      return [
        ...(scrollWidth > clientWidth ? [`the page scrolls sideways: ${scrollWidth} of ${clientWidth} pixels`] : []),
        ...inside.map((element) => `${element.tagName.toLowerCase()}.${element.className} scrolls sideways`),
      ]
    }

    /** What scrolls must leave room for at least one line. */
    const findTooSmall = () =>
      [...document.querySelectorAll<HTMLElement>('body *')]
        .filter((element) => element.tagName !== 'TEXTAREA' && hasScrollbar(getStyle(element)))
        .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1 && clientHeight < SMALLEST)
        .map((element) => `${element.tagName.toLowerCase()}.${element.className} has ${element.clientHeight} pixels`)

    const texts = collectTexts()
    return [
      ...texts.filter(isCutOff).map((text) => `${describe(text)} is cut off`),
      ...findOverlaps(texts),
      ...findSidewaysScrolling(),
      ...findTooSmall(),
    ]
  })
}
