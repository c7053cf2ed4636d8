// Copies Playwright's viewer of traces, with its license and notices, into the build of the app. The service serves it on the
// host of FILES_ORIGIN only.
import { cp, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
const target = fileURLToPath(new URL('../dist/app/trace-viewer', import.meta.url))
/** The mode in which Playwright watches tests. */
const isNeeded = (path) => !path.includes('uiMode.html')

await mkdir(target, { recursive: true })
await cp(join(source, 'lib/vite/traceViewer'), target, { recursive: true, filter: isNeeded })
for (const file of ['LICENSE', 'NOTICE', 'ThirdPartyNotices.txt']) await cp(join(source, file), join(target, file))
