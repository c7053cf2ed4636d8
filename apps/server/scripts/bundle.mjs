// Joins the modules of the service into a few files, `dist`, unless they and what they are made of are those of the last time. Node.js takes
// 4 seconds of a processor to find and load 2,000 modules, and 1 second for these files.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildWhenChanged } from '../../../scripts/build-when-changed.mjs'
import { keepModuleUrls } from '../../../scripts/keep-module-urls.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const server = join(root, 'apps/server')
const output = join(server, 'dist')

/**
 * Dependencies that are loaded as they are: they have native code, read files that lie beside them, or share what is set in `pg` with one
 * that does. They are dependencies of the service itself, because others cannot be found from `dist`.
 */
const EXTERNAL = [
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  'graphile-worker',
  'ioredis',
  'pg',
  'pg-copy-streams',
  'pg-native',
  'pg-protocol',
  'pino',
  'pino-pretty',
]

/** A module that looks for files beside itself would not find them beside the bundle: its package belongs to `EXTERNAL`. */
function requireNoFilesBeside({ fileName, code }) {
  const found = /\b(?:__dirname|__filename|require\.resolve)\b/.exec(code)
  if (found === null) return
  const module = code.slice(0, found.index).split('//#region ').at(-1).split('\n', 1)[0]
  throw new Error(
    `${module} in ${fileName} uses ${found[0]}: add its package to EXTERNAL in apps/server/scripts/bundle.mjs.`,
  )
}

async function build() {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(server, 'src/main.ts'),
    cwd: root,
    platform: 'node',
    external: EXTERNAL.map((name) => new RegExp(`^${name}(?:/|$)`)),
    resolve: { conditionNames: ['caseward-source'] },
    // Migrations, assets and the web app are beside the modules.
    plugins: [keepModuleUrls(output)],
  })
  const directory = join(server, `dist-${process.pid}`)
  // Readable for other users, one of whom runs the service: a temporary directory is not.
  mkdirSync(directory)
  try {
    const { output: chunks } = await bundle.write({ dir: directory, format: 'esm', chunkFileNames: '[name].js' })
    chunks.forEach(requireNoFilesBeside)
    // A service that starts meanwhile finds a whole bundle, except for a moment.
    rmSync(output, { recursive: true, force: true })
    renameSync(directory, output)
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await bundle.close()
  }
}

await buildWhenChanged({
  inputs: [
    'apps/server/src',
    'apps/server/scripts/bundle.mjs',
    'scripts/keep-module-urls.mjs',
    'packages',
    'package-lock.json',
    'tsconfig.base.json',
  ],
  output: 'apps/server/dist',
  digestFile: 'apps/server/build/dist.sha256',
  build,
})
