import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { onTestFinished, type TestContext } from 'vitest'

import { run } from '@caseward/embedded-postgres/run-program'
import { isRoot } from './root-user.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

/** Mounts a small disk for the current test. Skips the test without root or without the right to mount. */
export async function mountSmallDisk(context: TestContext, megabytes: number): Promise<string> {
  if (!isRoot) context.skip('not run: only root can mount a small disk to fill')
  const disk = join(await createTemporaryDirectory(), 'disk')
  await mkdir(disk)
  const { status, stderr } = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'caseward', disk])
  if (status !== 0) context.skip(`not run: no small disk can be mounted to fill (${stderr.trim()})`)
  onTestFinished(async () => void (await run('umount', ['-l', disk])))
  return disk
}

/** Fills a disk to its last block and returns the file that fills it. */
export async function fillDisk(disk: string): Promise<string> {
  const filler = join(disk, 'filler')
  await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
  // What is left is less than that, and enough for PostgreSQL to start.
  await fillUp(filler)
  return filler
}

/** Takes the blocks that became free since {@link fillDisk}, such as those of files that PostgreSQL deletes when it starts. */
export async function fillUp(filler: string): Promise<void> {
  await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc'])
}
