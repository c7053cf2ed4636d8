// Checks every published package as its users install it: package.json (publint), types (are the types wrong), installed
// size including dependencies, and that it does not import private packages.
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

/** Reporters are installed in many projects. The command also contains the JUnit parser, and all endpoints. */
const MAX_BYTES = 1_000_000
const MAX_COMMAND_BYTES = 1_400_000
const COMMANDS = new Set(['@caseward/cli', 'caseward'])

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'))

/** Returns the workspaces in packages/ by name. */
async function readPackages() {
  const directories = await readdir(join(root, 'packages'))
  const packages = directories.map(async (name) => {
    const directory = join(root, 'packages', name)
    const manifest = await readJson(join(directory, 'package.json'))
    return [manifest.name, { directory, manifest }]
  })
  return new Map(await Promise.all(packages))
}

/** Packs packages as `npm publish` does, and returns the tarball, the files and the size in bytes of each. */
async function pack(packages, destination) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  for (const { directory } of packages) args.push('-w', directory)
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

/** Does what the command `attw` does, but for all packages in one process, because loading TypeScript takes most time. */
async function lintTypes({ manifest }, { tarball }) {
  if (manifest.exports === undefined && manifest.main === undefined) return [] // The package has only a command.
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))))
  if (analysis.types === false) return ['It contains no types.']
  const problems = Object.entries(listEntries(manifest)).flatMap(([entrypoint, target]) =>
    listResolutionKinds(entrypoint, target).flatMap((resolutionKind) =>
      filterProblems(analysis, { resolutionKind, entrypoint }),
    ),
  )
  return [...new Set(problems)].map(({ kind, ...where }) => `${problemKindInfo[kind].title}: ${JSON.stringify(where)}`)
}

/** Returns what each entry of a package leads to. */
const listEntries = ({ exports = '' }) =>
  Object.keys(exports).some((key) => key.startsWith('.')) ? exports : { '.': exports }

/** As the profile `esm-only` of `attw` for entries that are only ES modules. Node 10 knows only the main entry. */
function listResolutionKinds(entrypoint, target) {
  const hasCommonJs = /"require"|\.cjs"/.test(JSON.stringify(target))
  const older = entrypoint === '.' ? ['node16-cjs', 'node10'] : ['node16-cjs']
  return ['node16-esm', 'bundler', ...(hasCommonJs ? older : [])]
}

/** Private packages and their dependencies are not installed with a published package. */
async function lintImports({ directory }, { files }, internal) {
  const pattern = new RegExp(`['"](?:${internal.join('|')})['"/]`)
  const code = files.filter((path) => /\.(?:[cm]?js|ts)$/.test(path))
  const texts = await Promise.all(code.map(async (path) => [path, await readFile(join(directory, path), 'utf8')]))
  return texts.filter(([, text]) => pattern.test(text)).map(([path]) => `${path} imports ${internal.join(' or ')}`)
}

/** Returns everything that is installed with a package, by directory, with its size in bytes. */
async function findInstalled(name, from, { packages, packed }, found = new Map()) {
  const own = packages.get(name)
  const directory = own?.directory ?? (await findPackage(name, from))
  if (found.has(directory)) return found
  found.set(directory, { name, bytes: packed.get(name)?.bytes ?? (await getByteLength(directory)) })
  const { dependencies = {}, optionalDependencies = {} } =
    own?.manifest ?? (await readJson(join(directory, 'package.json')))
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    await findInstalled(dependency, directory, { packages, packed }, found)
  }
  return found
}

async function findPackage(name, from) {
  const directory = join(from, 'node_modules', name)
  const exists = await stat(directory).then(
    () => true,
    () => false,
  )
  if (exists) return directory
  if (from === dirname(from)) throw new Error(`${name} is not installed`)
  return findPackage(name, dirname(from))
}

async function getByteLength(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.startsWith(join(directory, 'node_modules')),
  )
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

async function lintInstall(name, internal, all) {
  const found = [...(await findInstalled(name, root, all)).values()]
  const bytes = found.reduce((sum, part) => sum + part.bytes, 0)
  const sizes = found.map((part) => `${part.name} ${part.bytes}`).join(', ')
  const findings = found
    .filter((part) => internal.includes(part.name))
    .map((part) => `It installs the internal package ${part.name}.`)
  const maxBytes = COMMANDS.has(name) ? MAX_COMMAND_BYTES : MAX_BYTES
  if (bytes >= maxBytes) findings.push(`It installs ${bytes} bytes, ${maxBytes} or more: ${sizes}`)
  return { bytes, findings }
}

const destination = await mkdtemp(join(tmpdir(), 'caseward-lint-'))
try {
  const packages = await readPackages()
  const published = [...packages.values()].filter(({ manifest }) => manifest.private !== true)
  const privatePackages = [...packages.values()].filter(({ manifest }) => manifest.private === true)
  const internal = ['typebox', ...privatePackages.map(({ manifest }) => manifest.name)]
  const packed = await pack(published, destination)
  const remaining = [...published]
  const lintNext = async () => {
    for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
      const { name } = next.manifest
      const tarball = packed.get(name)
      const install = await lintInstall(name, internal, { packages, packed })
      const findings = [
        ...(await lintManifest(tarball)),
        ...(await lintTypes(next, tarball)),
        ...(await lintImports(next, tarball, internal)),
        ...install.findings,
      ]
      console.log(`${findings.length === 0 ? 'passed' : 'FAILED'}  ${name}: installs ${install.bytes} bytes`)
      for (const finding of findings) console.error(finding)
      if (findings.length > 0) process.exitCode = 1
    }
  }
  await Promise.all([lintNext(), lintNext()])
} finally {
  await rm(destination, { recursive: true })
}
