// Builds the web app, unless its sources and its build are those of the last time: `npm ci` builds it, `npm test` and its browser tests need it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { buildWhenChanged } from './build-when-changed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await buildWhenChanged({
  // The app is built from the sources of packages, too; versions of the others are in the lock file.
  inputs: [
    'apps/web',
    'packages',
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
    'scripts/build-web.mjs',
    'scripts/build-when-changed.mjs',
  ],
  output: 'apps/web/dist/app',
  digestFile: 'apps/web/dist/app.sha256',
  async build() {
    const { status } = spawnSync('npm', ['run', 'build', '-w', 'apps/web'], { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  },
})
