// Joins what `tsc` has made of the reporters' common part into a few files, `dist/bundle`, which are published. Every suite loads them before
// its first test: Node.js takes 60 ms of a processor to find and load 28 modules, and 20 ms for these files.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildWhenChanged } from '../../../scripts/build-when-changed.mjs'

const directory = fileURLToPath(new URL('..', import.meta.url))
const output = join(directory, 'dist/bundle')

async function build() {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: { index: join(directory, 'dist/index.js'), spool: join(directory, 'dist/spool.js') },
    platform: 'node',
    // Only loaded once the suite has ended, and shared with the command, which installs this package, too.
    external: [/^@caseward\/client(?:\/|$)/],
  })
  rmSync(output, { recursive: true, force: true })
  // Comments are in the sources; they would be a third of the files.
  await bundle.write({ dir: output, format: 'esm', chunkFileNames: '[name].js', comments: false })
  await bundle.close()
}

await buildWhenChanged({
  inputs: [
    'packages/reporter-core',
    'packages/ci-run',
    'packages/matching',
    'package-lock.json',
    'tsconfig.base.json',
    'tsconfig.node18.json',
  ],
  output: 'packages/reporter-core/dist/bundle',
  digestFile: 'packages/reporter-core/dist/bundle.sha256',
  build,
})
