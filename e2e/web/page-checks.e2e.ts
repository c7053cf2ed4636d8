import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { findPageFaults } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()

const FRAME = `<!doctype html><html lang="en"><title>Faults</title><style>
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
  </style><meta name="viewport" content="width=device-width"><nav aria-label="Pages"><ul><li><a href="#state">State</a></li></ul></nav>
  <main><h1>Faults</h1><p>Enough contrast</p><button>Enough room</button>
  <label>Name <input autocomplete="name"></label><span role="img" aria-label="Green"></span><div id="state"></div></main></html>`

const show = (page: Page, html: string) =>
  page.evaluate((content) => {
    const state = document.querySelector('#state')
    if (state !== null) state.innerHTML = content
  }, html)

/** What is found, without the elements and what axe says about them. */
async function findFaults(page: Page, html: string): Promise<string[]> {
  await show(page, html)
  const faults = await findPageFaults(page, 'state')
  return [
    ...new Set(
      faults.map((fault) =>
        fault.replace(/^([^:]+: )(?:([a-z-]+): .*|(?:“.*” in \S+ |the page )(.*?)(?::.*)?)$/s, '$1$2$3'),
      ),
    ),
  ]
}

it('finds each fault of a later state, with the theme and the width that it has', async () => {
  const page = await browser.newPage()
  await page.setContent(FRAME)
  expect(await findFaults(page, '<p>The first state</p>')).toEqual([])
  expect(await findFaults(page, '<button></button>')).toEqual(['light 1440: button-name', 'light 390: button-name'])
  expect(await findFaults(page, '<p class="pale">Pale</p>')).toEqual(
    ['light 1440', 'dark 1440', 'dark 390', 'light 390'].map((look) => `${look}: color-contrast`),
  )
  expect(await findFaults(page, '<p class="dark-in-dark">In one theme</p>')).toEqual(
    ['dark 1440', 'dark 390'].map((look) => `${look}: color-contrast`),
  )
  expect(await findFaults(page, '<p class="dark-if-narrow">At one width</p>')).toEqual(
    ['dark 390', 'light 390'].map((look) => `${look}: color-contrast`),
  )
  expect(await findFaults(page, '<div class="sheet"><p>On another background</p></div>')).toEqual(
    ['light 1440', 'dark 1440', 'dark 390', 'light 390'].map((look) => `${look}: color-contrast`),
  )
  const twice = (name: string) => `<button class="${name}">a</button><button class="${name}">b</button>`
  expect(await findFaults(page, twice('small'))).toContain('light 1440: target-size')
  expect(await findFaults(page, twice('small-if-narrow'))).toContain('light 390: target-size')
  expect(await findFaults(page, '<p class="cut">Too long for its box</p>')).toEqual(
    ['wide text 1440', '200 %', 'wide text 390', '320'].map((look) => `${look}: is cut off`),
  )
  expect(await findFaults(page, '<p class="wide">Wide</p>')).toEqual(
    ['200 %', 'wide text 390', '320'].map((look) => `${look}: scrolls sideways`),
  )
  // What has passed is not looked at again, and what has failed is.
  expect(await findFaults(page, '<p>The first state</p>')).toEqual([])
  expect(await findFaults(page, '<button></button>')).toHaveLength(2)
})
