import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns a file relative to the working directory, with forward slashes on every operating system.
 * @param file a path or a `file:` URL
 */
export function toRelativePath(file: string, cwd: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  return relative(cwd, resolve(cwd, path)).replaceAll('\\', '/')
}
