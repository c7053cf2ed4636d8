import type { Page } from 'playwright-core'

/** Selects the elements that {@link markNewElements} has marked. */
export const NEW_ELEMENTS = '[data-new]'

/** Remembers what the elements of the page are and how they look, so that {@link markNewElements} finds others. */
export async function rememberElements(page: Page): Promise<void> {
  await visitElements(page, 'remember')
}

/**
 * Marks the elements that the page did not have when they were remembered, in a window of another width, or that have other
 * attributes, texts, colours or fonts now. All others have been checked already.
 * @returns their number
 */
export async function markNewElements(page: Page): Promise<number> {
  return await visitElements(page, 'mark')
}

async function visitElements(page: Page, what: 'remember' | 'mark'): Promise<number> {
  return await page.evaluate((task) => {
    const state = globalThis as unknown as { knownElements?: ReadonlySet<string> }
    const describe = (element: Element) => {
      element.removeAttribute('data-new')
      const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity } = getComputedStyle(element)
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      return [
        (element.cloneNode(false) as Element).outerHTML,
        ...texts.map(({ textContent }) => textContent),
        color,
        backgroundColor,
        backgroundImage,
        fontSize,
        fontWeight,
        opacity,
      ].join('\n')
    }
    const elements = [...document.querySelectorAll('body, body *')]
    const { knownElements = new Set<string>() } = state
    if (task === 'remember') {
      state.knownElements = new Set(elements.map(describe))
      return elements.length
    }
    const found = elements.filter((element) => !knownElements.has(describe(element)))
    for (const element of found) element.setAttribute('data-new', '')
    return found.length
  }, what)
}
