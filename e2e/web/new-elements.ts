import type { Page } from 'playwright-core'

/** Selects the elements that {@link markNewElements} has marked. */
export const NEW_ELEMENTS = '[data-new]'

/** Has the look of elements whose contrast was not checked. */
export const NEW_LOOK = 'data-new-look'

export type Theme = 'light' | 'dark'
type Elements = ReadonlySet<string>
export type ElementsByTheme = Readonly<Record<Theme, Elements>>

/** What has passed all rules in this worker, in whatever test file and state, by the pages of the app that it was on. */
const passed = new Map<string, ElementsByTheme>()
/** Colors, backgrounds and fonts with enough contrast, on whatever page. */
const passedLooks = new Set<string>()

/** Returns the elements that have passed on this page of the app. Undefined if it was not checked yet. */
export const getPassedElements = (page: Page): ElementsByTheme | undefined => passed.get(getPageName(page))

/** Adds what has passed on this page. */
export function addPassed(page: Page, { light, dark }: ElementsByTheme, looks: Iterable<string>): void {
  const name = getPageName(page)
  const known = passed.get(name)
  passed.set(name, {
    light: new Set([...(known?.light ?? []), ...light]),
    dark: new Set([...(known?.dark ?? []), ...dark]),
  })
  for (const look of looks) passedLooks.add(look)
}

const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z]+-\d+/g
const getPageName = (page: Page) => new URL(page.url()).pathname.replaceAll(IDS, 'id')

interface NewElements {
  elements: Elements
  /** Whether some of them can be clicked or focused. */
  hasTargets: boolean
  /** Whether some of them have text that looks as none that has passed. */
  hasLooks: boolean
}

/**
 * Marks the elements that are not among the known ones: those that have other attributes, other colors or fonts, another
 * background or another parent. What differs in identifiers, numbers and words only is the same to all rules. Those of them that
 * look as none that has passed are marked with {@link NEW_LOOK}, unless they were among the seen ones.
 * @returns the marked ones
 */
export async function markNewElements(page: Page, known: Elements, seen: Elements): Promise<NewElements> {
  const { found, ...has } = await page.evaluate(
    ([knownList, seenList, lookList, newLook]) => {
      const isKnown = new Set(knownList.split(' '))
      const isSeen = new Set(seenList.split(' '))
      const hasPassed = new Set(lookList.split(' '))
      interface Drawn {
        background: string
        opacity: number
      }
      /** Parents come before their children. */
      const drawn = new Map<Element, Drawn>()
      const findDrawn = (element: Element, style: CSSStyleDeclaration): Drawn => {
        const { backgroundColor, backgroundImage, opacity, position } = style
        const own = backgroundImage === 'none' ? backgroundColor : backgroundImage
        const parent = drawn.get(element.parentElement ?? element)
        // What is moved may be above anything.
        const isMoved = position === 'absolute' || position === 'fixed' || position === 'sticky'
        const below =
          parent === undefined ? '' : isMoved ? `${parent.background} ${element.className}` : parent.background
        const background = own === 'rgba(0, 0, 0, 0)' ? below : own.startsWith('rgb(') ? own : `${own} on ${below}`
        const result = { background, opacity: Number(opacity) * (parent?.opacity ?? 1) }
        drawn.set(element, result)
        return result
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
      const hasText = (element: Element) =>
        [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim() !== '',
        )
      const unknown = new Set<string>()
      let hasLooks = false
      for (const element of document.querySelectorAll('body, body *')) {
        element.removeAttribute('data-new')
        element.removeAttribute(newLook)
        const style = getComputedStyle(element)
        const { background, opacity } = findDrawn(element, style)
        const look = [background, style.color, style.fontSize, style.fontWeight, opacity].join('\n')
        const parent = element.parentElement
        const isText = hasText(element)
        const shell = (element.cloneNode(false) as Element).outerHTML
        const described = hash(
          [
            shell.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|_r_\w+_|\d+/g, '0'),
            `${parent?.tagName} ${parent?.getAttribute('role')} ${isText}`,
            look,
          ].join('\n'),
        )
        if (isKnown.has(described)) continue
        element.setAttribute('data-new', '')
        unknown.add(described)
        if (isSeen.has(described) || !(isText || element.matches('input, select, textarea'))) continue
        if (!element.checkVisibility()) continue
        const hashedLook = hash(look)
        if (hasPassed.has(hashedLook)) continue
        element.setAttribute(newLook, hashedLook)
        hasLooks = true
      }
      const targets = 'a, button, input, select, textarea, summary, label, [tabindex], [role]'
      const hasTargets = [...document.querySelectorAll('[data-new]')].some((element) => element.matches(targets))
      return { found: [...unknown].join(' '), hasTargets, hasLooks }
    },
    [join(known), join(seen), join(passedLooks), NEW_LOOK] as const,
  )
  return { elements: new Set(found === '' ? [] : found.split(' ')), ...has }
}

const join = (names: Elements) => [...names].join(' ')
