import { link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Gives a content of one directory a second name in another one. A content never changes, so that both can share it.
 * @returns whether it is there; false on another file system, or one that has no links
 */
export async function linkContent(source: string, target: string, name: string): Promise<boolean> {
  const path = join(target, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await link(join(source, name), path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST'
  }
}
