import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Selects the elements that {@link markNewElements} has marked. */
export const NEW_ELEMENTS = '[data-new]'

/** What has passed all rules in this test file, by the pages that it was on. */
const passed = { file: '', pages: new Map<string, Set<string>>() }

/** Returns the elements that have passed on this page of the app, in whatever state it was. Undefined if it was not checked yet. */
export function getPassedElements(page: Page): ReadonlySet<string> | undefined {
  return passed.file === getFile() ? passed.pages.get(getPageName(page)) : undefined
}

/** Adds elements that have passed on this page. */
export function addPassedElements(page: Page, elements: ReadonlySet<string>): void {
  const file = getFile()
  if (passed.file !== file) Object.assign(passed, { file, pages: new Map() })
  const name = getPageName(page)
  passed.pages.set(name, new Set([...(passed.pages.get(name) ?? []), ...elements]))
}

const getFile = () => expect.getState().testPath ?? ''
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z]+-\d+/g
const getPageName = (page: Page) => new URL(page.url()).pathname.replaceAll(IDS, 'id')

/**
 * Marks the elements that are not among the known ones: those that have other attributes, other colors or fonts, another
 * background or another parent. What differs in identifiers, numbers and words only is the same to all rules.
 * @returns the marked ones
 */
export async function markNewElements(page: Page, known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = await page.evaluate(
    (list) => {
      const isKnown = new Set(list.split(' '))
      /** Parents come before their children. */
      const backgrounds = new Map<Element, string>()
      const findBackground = (element: Element, { backgroundColor, backgroundImage }: CSSStyleDeclaration) => {
        const own = backgroundImage === 'none' ? backgroundColor : backgroundImage
        const parent = element.parentElement
        const drawn = own === 'rgba(0, 0, 0, 0)' && parent !== null ? (backgrounds.get(parent) ?? own) : own
        backgrounds.set(element, drawn)
        return drawn
      }
      const describe = (element: Element) => {
        const style = getComputedStyle(element)
        const { color, fontSize, fontWeight, opacity } = style
        const parent = element.parentElement
        const hasText = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim() !== '',
        )
        return [
          (element.cloneNode(false) as Element).outerHTML.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|_r_\w+_|\d+/g, '0'),
          `${parent?.tagName} ${parent?.getAttribute('role')} ${hasText}`,
          findBackground(element, style),
          color,
          fontSize,
          fontWeight,
          opacity,
        ].join('\n')
      }
      const hashes = new Map<string, string>()
      /** Fowler, Noll and Vo's, twice. Rows of a table are alike. */
      const hash = (text: string) => {
        const earlier = hashes.get(text)
        if (earlier !== undefined) return earlier
        let [a, b] = [0x811c9dc5, 0x01000193]
        for (let index = 0; index < text.length; index += 1) {
          a = Math.imul(a ^ text.charCodeAt(index), 0x01000193)
          b = Math.imul(b ^ text.charCodeAt(index), 0x5bd1e995)
        }
        const hashed = (a >>> 0).toString(36) + (b >>> 0).toString(36)
        hashes.set(text, hashed)
        return hashed
      }
      const unknown = new Set<string>()
      for (const element of document.querySelectorAll('body, body *')) {
        element.removeAttribute('data-new')
        const described = hash(describe(element))
        if (isKnown.has(described)) continue
        element.setAttribute('data-new', '')
        unknown.add(described)
      }
      return [...unknown].join(' ')
    },
    [...known].join(' '),
  )
  return new Set(found === '' ? [] : found.split(' '))
}
