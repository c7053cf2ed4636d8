// Publishes all packages in one version, those that others depend on first. Run it in CI, because npm accepts a statement of
// provenance only from there:
//
//   npm run release                     checks, tests and publishes
//   npm run release -- --dry-run        does everything but publishing
//   npm run release -- --check          checks versions and changelog only
//   npm run release -- --tag v1.2.3     also checks that the git tag fits the version
//   npm run release -- --tested         leaves out the tests, after CI has run all of them
//   npm run release -- --registry <url> --rehearse
//                                       publishes to a registry on this machine, without provenance, checks and tests
//
// A release that failed can be run again: packages that are published already are left out.
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'))

/** Returns the manifests of all workspaces in a directory, with their directories. */
async function readPackages(parent) {
  if (!existsSync(join(root, parent))) return []
  const names = (await readdir(join(root, parent))).toSorted()
  return await Promise.all(
    names.map(async (name) => {
      const directory = join(parent, name)
      return { directory, manifest: await readJson(join(root, directory, 'package.json')) }
    }),
  )
}

/** Returns the published packages, those that others depend on first. */
function sortByDependency(packages) {
  const published = packages.filter(({ manifest }) => manifest.private !== true)
  const byName = new Map(published.map((item) => [item.manifest.name, item]))
  const sorted = new Set()
  const add = (item, path) => {
    if (path.includes(item)) throw new Error(`${item.manifest.name} depends on itself.`)
    for (const name of Object.keys(item.manifest.dependencies ?? {})) {
      const dependency = byName.get(name)
      if (dependency !== undefined) add(dependency, [...path, item])
    }
    sorted.add(item)
  }
  for (const item of published) add(item, [])
  return [...sorted]
}

/** All packages have the version of the root, and depend on each other in exactly this version. */
function checkVersions(version, packages) {
  const names = new Set(packages.map(({ manifest }) => manifest.name))
  return packages.flatMap(({ directory, manifest }) => {
    const { dependencies = {}, devDependencies = {} } = manifest
    const wrong = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, range]) => names.has(name) && range !== version,
    )
    return [
      ...(manifest.version === version ? [] : [`${directory} has version ${manifest.version} instead of ${version}.`]),
      ...wrong.map(([name, range]) => `${directory} depends on ${name} ${range} instead of ${version}.`),
    ]
  })
}

/** A package is published with its license and the place of its source, which provenance refers to. */
function checkManifests(packages) {
  const fields = ['description', 'license', 'repository', 'files', 'engines', 'publishConfig']
  return packages.flatMap(({ directory, manifest }) =>
    fields.filter((field) => manifest[field] === undefined).map((field) => `${directory} has no “${field}”.`),
  )
}

/** Private packages are not in the registry. */
function checkPrivate(packages, published) {
  const internal = new Set(packages.map(({ manifest }) => manifest.name))
  for (const { manifest } of published) internal.delete(manifest.name)
  return published.flatMap(({ directory, manifest }) =>
    Object.keys(manifest.dependencies ?? {})
      .filter((name) => internal.has(name))
      .map((name) => `${directory} depends on ${name}, which is private.`),
  )
}

async function checkTree() {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: root })
  return stdout === '' ? [] : ['The working tree has uncommitted changes.']
}

async function checkChangelog(version) {
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const heading = text.split('\n').find((line) => line.startsWith(`## ${version}`))
  if (heading === undefined) return [`CHANGELOG.md has no entry for ${version}.`]
  return heading.includes('unreleased') ? [`CHANGELOG.md says that ${version} is unreleased: write its date.`] : []
}

function checkTag(version, tag) {
  return tag === undefined || tag === `v${version}`
    ? []
    : [`The tag ${tag} does not fit version ${version}: use v${version}.`]
}

const isLocal = (registry) => registry !== undefined && ['127.0.0.1', 'localhost'].includes(new URL(registry).hostname)

function checkProvenance(registry) {
  const { GITHUB_ACTIONS, GITLAB_CI } = process.env
  return isLocal(registry) || GITHUB_ACTIONS !== undefined || GITLAB_CI !== undefined
    ? []
    : ['Provenance requires GitHub Actions or GitLab CI: run the release there.']
}

/** Runs a command with its output on this terminal. */
async function runVisibly(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  const exitCode = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}

/** Returns the packages that the registry does not have in this version. */
async function findUnpublished(published, registryArgs) {
  const isPublished = await Promise.all(
    published.map(({ manifest: { name, version } }) =>
      run('npm', ['view', `${name}@${version}`, 'version', '--json', ...registryArgs], { cwd: root }).then(
        ({ stdout }) => stdout.trim() !== '',
        (error) => {
          if (String(error.stdout).includes('E404')) return false
          throw error
        },
      ),
    ),
  )
  return published.filter((_, index) => !isPublished[index])
}

async function publishAll(published, { registry, rehearse, 'dry-run': dryRun }) {
  const registryArgs = registry === undefined ? [] : ['--registry', registry]
  // `npm install` without a version must not install 1.2.0-beta.1.
  const isPrerelease = published.some(({ manifest }) => manifest.version.includes('-'))
  const flags = [
    ...(rehearse ? ['--provenance=false'] : []),
    ...(dryRun ? ['--dry-run'] : []),
    ...(isPrerelease ? ['--tag', 'next'] : []),
  ]
  const unpublished = await findUnpublished(published, registryArgs)
  for (const item of published) {
    const { directory, manifest } = item
    const label = `${manifest.name} ${manifest.version}`
    if (!unpublished.includes(item)) {
      console.log(`${label} is published already`)
      continue
    }
    await run('npm', ['publish', `./${directory}`, '--ignore-scripts', ...flags, ...registryArgs], { cwd: root })
    console.log(`${dryRun ? 'checked' : 'published'} ${label}`)
  }
}

const { values } = parseArgs({
  options: {
    registry: { type: 'string' },
    rehearse: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    tag: { type: 'string' },
    check: { type: 'boolean', default: false },
    tested: { type: 'boolean', default: false },
  },
})
const { version } = await readJson(join(root, 'package.json'))
const packages = [...(await readPackages('packages')), ...(await readPackages('apps'))]
const published = sortByDependency(packages)
const findings = [
  ...checkVersions(version, packages),
  ...checkTag(version, values.tag),
  ...checkManifests(published),
  ...checkPrivate(packages, published),
  ...(values.rehearse && !isLocal(values.registry) ? ['A rehearsal requires a --registry on this machine.'] : []),
  ...(values.rehearse ? [] : [...(await checkTree()), ...(await checkChangelog(version))]),
  ...(values.rehearse || values['dry-run'] ? [] : checkProvenance(values.registry)),
]
for (const finding of findings) console.error(finding)
if (findings.length > 0) {
  process.exitCode = 1
} else if (values.check) {
  console.log(`${version} can be released.`)
} else {
  const built = published
    .map(({ directory }) => directory)
    .filter((path) => existsSync(join(root, path, 'tsconfig.json')))
  if (built.length > 0) await runVisibly('npx', ['tsc', '-b', ...built])
  await runVisibly('node', ['scripts/bundle-packages.mjs'])
  if (!values.rehearse && !values.tested) {
    await runVisibly('npm', ['run', 'packages:lint'])
    await runVisibly('npx', [
      'vitest',
      'run',
      '--project',
      'core',
      'packages/',
      'e2e/cli',
      'e2e/packages',
      'e2e/reporters',
    ])
  }
  await publishAll(published, values)
}
