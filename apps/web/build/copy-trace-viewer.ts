import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

import type { Plugin } from 'vite'

/**
 * Copies Playwright's viewer of traces, with its license and notices, into the build of the app. The service serves it on the
 * host of FILES_ORIGIN only. After all else is written, so that it is not compressed: few people open it.
 */
export function copyTraceViewer(): Plugin {
  let target = ''
  return {
    name: 'copy-trace-viewer',
    apply: 'build',
    configResolved({ root, build }) {
      target = join(resolve(root, build.outDir), 'trace-viewer')
    },
    async closeBundle() {
      const source = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
      await cp(join(source, 'lib/vite/traceViewer'), target, { recursive: true })
      for (const file of ['LICENSE', 'NOTICE', 'ThirdPartyNotices.txt'])
        await cp(join(source, file), join(target, file))
    },
  }
}
