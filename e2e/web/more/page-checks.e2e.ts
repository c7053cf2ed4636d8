import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { findPageFaults } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const browser = useBrowser()

const FRAME = `<!doctype html><html lang="en"><title>Faults</title><style>
  :root { color-scheme: only light }
  body { margin: 0; color: #111; background: #fff }
  button { min-width: 24px; min-height: 24px }
  .small { min-width: 0; min-height: 0; width: 8px; height: 8px; padding: 0; border: 0 }
  .cut { width: 30px; overflow: hidden; white-space: nowrap }
  .wide { width: 900px }
  .pale { color: #999 }
  .sheet { position: absolute; background: #222 }
  @media (prefers-color-scheme: dark) { .dark-in-dark { background: #222 } }
  @media (max-width: 500px) {
    .dark-if-narrow { background: #222 }
    .small-if-narrow { min-width: 0; min-height: 0; width: 8px; height: 8px; padding: 0; border: 0 }
  }
  </style><meta name="viewport" content="width=device-width"><nav aria-label="Pages"><ul><li>State</li></ul></nav>
  <main><h1>Faults</h1><p>Enough contrast</p><button>Enough room</button>
  <label>Name <input autocomplete="name"></label><span role="img" aria-label="Green"></span><div id="state"></div></main></html>`

const show = (page: Page, html: string) =>
  page.evaluate((content) => {
    const state = document.querySelector('#state')
    if (state !== null) state.innerHTML = content
  }, html)

/** What a fault is about, without the elements and what axe says about them. */
const shorten = (fault: string) =>
  fault.replace(/^([^:]+: )(?:([a-z-]+): .*|(?:“.*” in \S+ |the page )([^:]*).*)$/s, '$1$2$3')

/** Shows a state, and checks that exactly these faults are found. */
async function expectFaults(page: Page, html: string, expected: readonly string[]): Promise<void> {
  await show(page, html)
  const faults = await findPageFaults(page, 'state')
  expect([...new Set(faults.map(shorten))], faults.join('\n')).toEqual(expected)
}

it('finds each fault of a later state, with the theme and the width that it has', async () => {
  const page = await browser.newPage()
  // What another file has left could allow no styles within a page.
  await page.goto(`data:text/html,${encodeURIComponent(FRAME)}`)
  await expectFaults(page, '<p>The first state</p>', [])
  await expectFaults(page, '<button></button>', ['light 1440: button-name', 'light 390: button-name'])
  const low = (looks: readonly string[]) => looks.map((look) => `${look}: color-contrast`)
  await expectFaults(page, '<p class="pale">Pale</p>', low(['light 1440', 'dark 1440']))
  await expectFaults(page, '<p class="dark-in-dark">In one theme</p>', low(['dark 1440']))
  await expectFaults(page, '<p class="dark-if-narrow">At one width</p>', low(['dark 390', 'light 390']))
  const sheet = '<div class="sheet"><p>On another background</p></div>'
  await expectFaults(page, sheet, low(['light 1440', 'dark 1440']))
  const twice = (name: string) => `<button class="${name}">a</button><button class="${name}">b</button>`
  await expectFaults(page, twice('small'), ['light 1440: target-size', 'light 390: target-size'])
  await expectFaults(page, twice('small-if-narrow'), ['light 390: target-size'])
  const layouts = (looks: readonly string[], fault: string) => looks.map((look) => `${look}: ${fault}`)
  const cut = '<p class="cut">Too long for its box</p>'
  await expectFaults(page, cut, layouts(['wide text 1440', '200 %', 'wide text 390', '320'], 'is cut off'))
  const wide = '<p class="wide">Wide</p>'
  await expectFaults(page, wide, layouts(['200 %', 'wide text 390', '320'], 'scrolls sideways'))
  // What has passed is not looked at again, and what has failed is.
  await expectFaults(page, '<p>The first state</p>', [])
  await expectFaults(page, '<button></button>', ['light 1440: button-name', 'light 390: button-name'])
})
