// Builds the web app, unless its sources and its build are those of the last time: `npm ci` builds it, `npm test` and its browser tests need it.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'apps/web/dist/app')
/** Beside the build, which is emptied before each. */
const digestFile = join(root, 'apps/web/dist/app.sha256')

/** The app is built from the sources of packages, too; versions of the others are in the lock file. */
const INPUTS = [
  'apps/web',
  'packages',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build-web.mjs',
]

/** Lists the files that the build may read. Returns null outside of a clone, where nobody knows which are ignored. */
function listInputs() {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...INPUTS]
    const listed = execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1e8 })
    return listed
      .toString()
      .split('\0')
      .filter((file) => file !== '' && existsSync(join(root, file)))
  } catch {
    return null
  }
}

const listOutputs = () =>
  readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const compare = (a, b) => (a < b ? -1 : 1)

/** Returns a digest of everything that the build depends on, and of the build. */
function computeDigest(inputs) {
  if (inputs === null || inputs.length === 0 || !existsSync(output)) return null
  const hash = createHash('sha256').update(`${process.version} ${process.env.NODE_ENV ?? ''}\n`)
  for (const file of [...inputs.map((path) => join(root, path)), ...listOutputs()].toSorted(compare)) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.byteLength}\n`).update(content)
  }
  return hash.digest('hex')
}

const inputs = listInputs()
const digest = computeDigest(inputs)
if (digest === null || !existsSync(digestFile) || readFileSync(digestFile, 'utf8') !== digest) {
  const { status } = spawnSync('npm', ['run', 'build', '-w', 'apps/web'], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
  const built = status === 0 ? computeDigest(inputs) : null
  if (built !== null) writeFileSync(digestFile, built)
}
