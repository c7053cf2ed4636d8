// Joins what `tsc` has made of published packages into a few files, `dist/bundle`, which are published instead: every suite loads the reporters'
// common part before its first test, and every job starts the command. Node.js takes 60 ms of a processor to find and load the 28 modules of
// the first, and 20 ms for these files; `caseward upload --help` takes 0.4 instead of 0.7 s on a busy machine.
import { rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildWhenChanged } from './build-when-changed.mjs'
import { keepModuleUrls } from './keep-module-urls.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In the order in which they are built: the command contains the bundle of `reporter-core`. */
const PACKAGES = [
  {
    name: 'reporter-core',
    entries: ['index', 'spool'],
    uses: ['ci-run', 'matching'],
    // It is only loaded once the suite has ended.
    external: '@caseward/client',
  },
  { name: 'cli', entries: ['main'], uses: ['case-files', 'ci-run', 'client', 'junit', 'matching', 'reporter-core'] },
]

/** Packages of others stay as they are, with their licenses. */
const isExternal = (id, external) =>
  (!id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@caseward/')) ||
  (external !== undefined && (id === external || id.startsWith(`${external}/`)))

async function bundle(directory, { entries, external }) {
  const { rolldown } = await import('rolldown')
  const output = join(directory, 'dist/bundle')
  const built = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(directory, `dist/${entry}.js`)])),
    cwd: root,
    platform: 'node',
    external: (id) => isExternal(id, external),
    plugins: [keepModuleUrls(output)],
  })
  rmSync(output, { recursive: true, force: true })
  // Comments are in the sources; they would be a third of the files.
  await built.write({ dir: output, format: 'esm', chunkFileNames: '[name].js', comments: false })
  await built.close()
}

for (const options of PACKAGES) {
  const path = `packages/${options.name}`
  await buildWhenChanged({
    inputs: [
      path,
      ...options.uses.map((name) => `packages/${name}`),
      'scripts/bundle-packages.mjs',
      'scripts/keep-module-urls.mjs',
      'package-lock.json',
      'tsconfig.base.json',
      'tsconfig.node18.json',
    ],
    output: `${path}/dist/bundle`,
    digestFile: `${path}/dist/bundle.sha256`,
    build: () => bundle(join(root, path), options),
  })
}
