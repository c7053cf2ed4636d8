// Builds something of this repository, unless its inputs and its output are those of the last time.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Lists the files that a build may read. Returns null outside of a clone, where nobody knows which are ignored. */
function listInputs(paths) {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths]
    const listed = execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1e8 })
    return listed
      .toString()
      .split('\0')
      .filter((file) => file !== '' && existsSync(join(root, file)))
  } catch {
    return null
  }
}

const listOutputs = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const compare = (a, b) => (a < b ? -1 : 1)

/** Returns a digest of everything that the build depends on, and of the build. */
function computeDigest(inputs, output) {
  if (inputs === null || inputs.length === 0 || !existsSync(output)) return null
  const hash = createHash('sha256').update(`${process.version} ${process.env.NODE_ENV ?? ''}\n`)
  for (const file of [...inputs.map((path) => join(root, path)), ...listOutputs(output)].toSorted(compare)) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.byteLength}\n`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {object} options
 * @param {string[]} options.inputs paths of files and directories in the repository that the build reads
 * @param {string} options.output path of the directory that it writes
 * @param {string} options.digestFile path of the file that says what was built; not in the output, which each build replaces
 * @param {() => Promise<void>} options.build
 */
export async function buildWhenChanged({ inputs: paths, output, digestFile, build }) {
  const inputs = listInputs(paths)
  const [directory, file] = [join(root, output), join(root, digestFile)]
  const digest = computeDigest(inputs, directory)
  if (digest !== null && existsSync(file) && readFileSync(file, 'utf8') === digest) return
  await build()
  const built = computeDigest(inputs, directory)
  if (built === null) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, built)
}
