// Looks at every package that is published as its users get it: is its package.json right (publint), do its types
// resolve (attw), is it small with all that it brings along, and does it stay clear of what is only ours?
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems, problemKindInfo } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const MAX_BYTES = 1_000_000

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'))

/** The workspaces of packages/, by name. */
async function readPackages() {
  const folders = await readdir(join(root, 'packages'))
  const packages = folders.map(async (name) => {
    const folder = join(root, 'packages', name)
    const manifest = await readJson(join(folder, 'package.json'))
    return [manifest.name, { folder, manifest }]
  })
  return new Map(await Promise.all(packages))
}

/** Packs them as `npm publish` would: which files, how many bytes, and the tarball. */
async function pack(packages, destination) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  for (const { folder } of packages) args.push('-w', folder)
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 1e8 })
  const packed = Object.values(JSON.parse(stdout))
  return new Map(
    packed.map(({ name, filename, files, unpackedSize }) => [
      name,
      { tarball: join(destination, filename), files: files.map(({ path }) => path), bytes: unpackedSize },
    ]),
  )
}

async function lintManifest({ tarball }) {
  const { buffer } = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
}

/** As the command `attw` does, but all packages in one process: most of its time goes into loading TypeScript. */
async function lintTypes({ manifest }, { tarball }) {
  if (manifest.exports === undefined && manifest.main === undefined) return [] // a command: nothing to import
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))))
  if (analysis.types === false) return ['It contains no types.']
  const hasCommonJs = /"require"|\.cjs"/.test(JSON.stringify(manifest.exports))
  // The command's profile `esm-only` for those that are only ES modules.
  const kinds = hasCommonJs ? ['node16-cjs', 'node16-esm', 'bundler', 'node10'] : ['node16-esm', 'bundler']
  const problems = kinds.flatMap((resolutionKind) => filterProblems(analysis, { resolutionKind }))
  return [...new Set(problems)].map(({ kind, ...where }) => `${problemKindInfo[kind].title}: ${JSON.stringify(where)}`)
}

/** What is only ours, private packages and what they are made with, is not there for who installs one. */
async function lintImports({ folder }, { files }, internal) {
  const pattern = new RegExp(`['"](?:${internal.join('|')})['"/]`)
  const code = files.filter((path) => /\.(?:[cm]?js|ts)$/.test(path))
  const texts = await Promise.all(code.map(async (path) => [path, await readFile(join(folder, path), 'utf8')]))
  return texts.filter(([, text]) => pattern.test(text)).map(([path]) => `${path} needs ${internal.join(' or ')}`)
}

/** All that is installed with a package, by where it lies, with its bytes. */
async function installed(name, from, { packages, packed }, found = new Map()) {
  const ours = packages.get(name)
  const folder = ours?.folder ?? (await findPackage(name, from))
  if (found.has(folder)) return found
  found.set(folder, { name, bytes: packed.get(name)?.bytes ?? (await getByteLength(folder)) })
  const { dependencies = {}, optionalDependencies = {} } =
    ours?.manifest ?? (await readJson(join(folder, 'package.json')))
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    await installed(dependency, folder, { packages, packed }, found)
  }
  return found
}

async function findPackage(name, from) {
  const folder = join(from, 'node_modules', name)
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  if (isThere) return folder
  if (from === dirname(from)) throw new Error(`${name} is not installed`)
  return findPackage(name, dirname(from))
}

async function getByteLength(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(folder, 'node_modules')))
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

async function lintInstall(name, internal, all) {
  const found = [...(await installed(name, root, all)).values()]
  const bytes = found.reduce((sum, part) => sum + part.bytes, 0)
  const told = found.map((part) => `${part.name} ${part.bytes}`).join(', ')
  const brought = found.filter((part) => internal.includes(part.name)).map((part) => `It brings ${part.name} along.`)
  if (bytes >= MAX_BYTES) brought.push(`It installs ${bytes} bytes, ${MAX_BYTES} or more: ${told}`)
  return { bytes, findings: brought }
}

const destination = await mkdtemp(join(tmpdir(), 'caseward-lint-'))
try {
  const packages = await readPackages()
  const published = [...packages.values()].filter(({ manifest }) => manifest.private !== true)
  const ours = [...packages.values()].filter(({ manifest }) => manifest.private === true)
  const internal = ['typebox', ...ours.map(({ manifest }) => manifest.name)]
  const packed = await pack(published, destination)
  const waiting = [...published]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name } = next.manifest
      const parcel = packed.get(name)
      const install = await lintInstall(name, internal, { packages, packed })
      const findings = [
        ...(await lintManifest(parcel)),
        ...(await lintTypes(next, parcel)),
        ...(await lintImports(next, parcel, internal)),
        ...install.findings,
      ]
      console.log(`${findings.length === 0 ? 'ok ' : 'BAD'} ${name}: installs ${install.bytes} bytes`)
      for (const finding of findings) console.error(finding)
      if (findings.length > 0) process.exitCode = 1
    }
  }
  await Promise.all([work(), work()])
} finally {
  await rm(destination, { recursive: true })
}
