import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Lists all files below a directory with their status; links are not followed. */
export async function listFiles(directory) {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  return await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return { path: path.slice(directory.length + 1), stats: await lstat(path) }
    }),
  )
}

/** What only development needs. Packages of others are left as they are. */
const UNNEEDED =
  /(?:\.tsx?|\.map|\.tsbuildinfo|\.npmrc|package-lock\.json|\.env[^/]*|\.backup\.gz)$|(?:^|\/)(?:test|e2e|bench|docs)\//

/** Returns what is wrong with the files of the application, as sentences. */
export function checkFiles(files, unprivilegedUser) {
  const [uid] = unprivilegedUser.split(':').map(Number)
  return files.flatMap(({ path, stats }) => {
    const isWritable = !stats.isSymbolicLink() && (stats.uid === uid || (stats.mode & 0o002) !== 0)
    return [
      ...(isWritable ? [`The service can change ${path}.`] : []),
      ...(!path.startsWith('node_modules/') && UNNEEDED.test(path) ? [`${path} is not needed to run.`] : []),
    ]
  })
}

const readPackages = async (file) => JSON.parse(await readFile(file, 'utf8')).packages

/**
 * Returns the packages in node_modules that the lock file has for development only, or does not have, as sentences. An
 * optional peer dependency is installed only because development needs it.
 */
export async function checkPackages(application, lockFile) {
  const [installed, locked] = await Promise.all(
    [join(application, 'node_modules/.package-lock.json'), lockFile].map(readPackages),
  )
  return Object.keys(installed).flatMap((name) => {
    const entry = locked[name]
    if (entry === undefined) return [`${name} is not in package-lock.json.`]
    if (installed[name].peer === true) return [`${name} is only a peer dependency.`]
    return entry.dev === true ? [`${name} is a development dependency.`] : []
  })
}
