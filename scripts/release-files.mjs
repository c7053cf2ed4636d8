// Writes the files of a release: the packages, the source, its bill of materials (SBOM) and their checksums, and the notes.
//
//   node scripts/release-files.mjs <directory>
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { readChangelogSection } from './release/read-changelog-section.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = async (program, args) =>
  (await promisify(execFile)(program, args, { cwd: root, maxBuffer: 256 * 1024 * 1024 })).stdout
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'))

/** Packs each package that is published. Their builds must be there. */
async function packPackages(target) {
  const names = await readdir(join(root, 'packages'))
  const manifests = await Promise.all(names.map((name) => readJson(join(root, 'packages', name, 'package.json'))))
  const published = manifests.filter((manifest) => manifest.private !== true)
  const workspaces = published.flatMap(({ name }) => ['-w', name])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', target, ...workspaces])
  return published.length
}

/** Lists everything in the lock file. Of the image, the builder makes its own bill of materials. */
async function writeBillOfMaterials(target, name) {
  const bom = await run('npm', [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
  ])
  await writeFile(join(target, `${name}-source.cdx.json`), bom)
}

async function writeChecksums(target) {
  const names = (await readdir(target)).toSorted()
  const lines = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256').update(await readFile(join(target, name)))
      return `${hash.digest('hex')}  ${name}\n`
    }),
  )
  await writeFile(join(target, 'SHA256SUMS'), lines.join(''))
}

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  console.error('Usage: node scripts/release-files.mjs <directory>')
  process.exit(1)
}
const target = join(resolve(directory), 'files')
await mkdir(target, { recursive: true })
if ((await readdir(target)).length > 0) {
  console.error(`${target} is not empty.`)
  process.exit(1)
}
const { version } = await readJson(join(root, 'package.json'))
const name = `caseward-${version}`
const count = await packPackages(target)
await run('git', [
  'archive',
  '--format=tar.gz',
  `--prefix=${name}/`,
  '--output',
  join(target, `${name}-source.tar.gz`),
  'HEAD',
])
await writeBillOfMaterials(target, name)
await writeChecksums(target)
// Not among the files, because it becomes the text of the release.
await writeFile(
  join(directory, 'notes.md'),
  readChangelogSection(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version),
)
console.log(`${count} packages, the source, its bill of materials and their checksums are in ${target}`)
