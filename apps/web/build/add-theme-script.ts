import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

/**
 * Adds `src/theme.js` to the page as a script that blocks rendering, so that the chosen theme is set before the first
 * paint. Vite bundles modules only, which browsers run later. Its name contains a hash, as those of all assets.
 */
export function addThemeScript(): Plugin {
  const source = readFileSync(new URL('../src/theme.js', import.meta.url), 'utf8')
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/theme-${hash}.js`
  return {
    name: 'add-theme-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
  }
}
