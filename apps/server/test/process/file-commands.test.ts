import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import { createTarget } from '@caseward/test-support/backup-scenario'
import { ADMIN_TOKEN, getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { unzip } from '@caseward/test-support/project-export'
import { query } from '@caseward/test-support/query'
import { S3_CREDENTIALS, startS3Server } from '@caseward/test-support/s3-server'
import type pg from 'pg'
import { expect, it } from 'vitest'

import { runCommand, runCommandProcess } from './run-server-command.ts'
import { startWithRun } from './start-with-run.ts'

const CONTENTS = ['first', 'second', '']

/** Starts a service on a database of its own, attaches files to a run, and stops it. */
async function makeFiles() {
  const { directory, connection, settings, service, projectId, runId } = await startWithRun()
  const names: string[] = []
  for (const content of CONTENTS) {
    const response = await fetch(`${service.url}/v1/runs/${runId}/attachments?name=log.txt`, {
      method: 'POST',
      body: Buffer.from(content),
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'text/plain' },
    })
    const { file_id: id } = ((await response.json()) as { data: Attachment }).data
    names.push(`${projectId}/${id?.slice(-2)}/${id}`)
  }
  service.signal('SIGTERM')
  await service.ended
  return { directory, connection, settings, names, projectId }
}

it('verify-files finds what is missing, damaged and unknown, and marks lost files until they are there again', async () => {
  const { connection, settings, names, projectId } = await makeFiles()
  const verify = (...options: string[]) => runCommand(['admin', 'verify-files', ...options], settings)
  const intact = await verify('--digest')
  expect(intact).toMatchObject({ exitCode: 0, stderr: '' })
  expect(intact.stdout).toContain(`3 files in ${settings.FILES_DIR}: 0 missing, 0 damaged, 0 unknown.`)

  const [first = '', second = ''] = names.map((name) => join(settings.FILES_DIR, name))
  await rename(first, `${settings.FILES_DIR}/aside`)
  await writeFile(second, 'secund')
  const unknownName = `${projectId}/00/00000000-0000-4000-8000-000000000000`
  await mkdir(dirname(join(settings.FILES_DIR, unknownName)), { recursive: true })
  await writeFile(join(settings.FILES_DIR, unknownName), 'left over')
  const readLost = async () =>
    (
      await query<{ is_lost: boolean }>(connection as pg.ClientConfig, 'select is_lost from files order by created_at')
    ).map((row) => row.is_lost)
  const found = await verify('--digest')
  expect(found.exitCode).toBe(2)
  expect(found.stdout.split('\n')).toEqual([
    `3 files in ${settings.FILES_DIR}: 1 missing, 1 damaged, 1 unknown.`,
    `Missing: ${names[0]}`,
    `Damaged: ${names[1]}`,
    `Unknown: ${unknownName}`,
    '',
  ])
  expect(await readLost()).toEqual([true, false, false])

  await rename(`${settings.FILES_DIR}/aside`, first)
  const cleaned = await verify('--delete-unknown')
  expect(cleaned.stdout).toContain('0 missing, not compared with their SHA-256, 1 unknown, removed.')
  expect(await readLost()).toEqual([false, false, false])
  // Without reading, damage is not seen, and nobody is told that there is none.
  const quick = await verify()
  expect([quick.exitCode, quick.stdout]).toEqual([
    0,
    `3 files in ${settings.FILES_DIR}: 0 missing, not compared with their SHA-256, 0 unknown.\n`,
  ])
  expect((await verify('--all')).exitCode).toBe(2)
})

it('backup and restore copy attached files with --files, into another database and store, and go on where they ended', async () => {
  const { directory, settings, names } = await makeFiles()
  const [file, files] = [join(directory, 'backup.gz'), join(directory, 'copies')]
  const backUp = (name: string) => runCommand(['admin', 'backup', name, '--files', files], settings)
  const first = await backUp(file)
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  expect(first.stdout).toContain(`Copied 3 attached files (0.0 MB) to ${files}.`)
  // They share the disk with those of the service.
  expect((await stat(join(files, names[0] ?? ''))).nlink).toBe(2)
  await rm(join(files, names[1] ?? ''))
  expect((await backUp(join(directory, 'second.gz'))).stdout).toContain('Copied 1 attached file ')
  const itself = await runCommand(['admin', 'backup', join(directory, 'x.gz'), '--files', settings.FILES_DIR], settings)
  expect([itself.exitCode, itself.stderr]).toEqual([1, expect.stringContaining('Choose another one')])

  const target = {
    ...settings,
    DATABASE_URL: getDatabaseUrl(await createTarget()),
    FILES_DIR: join(directory, 'restored'),
  }
  const restored = await runCommand(['admin', 'restore', file, '--files', files], target)
  expect(restored).toMatchObject({ exitCode: 0, stderr: '' })
  expect(restored.stdout).toContain(`Copied 3 attached files (0.0 MB) to ${target.FILES_DIR}.`)
  expect((await runCommand(['admin', 'verify-files', '--digest'], target)).stdout).toContain('0 missing, 0 damaged')
  expect(await readdir(target.FILES_DIR)).toContain('store.json')

  // The store of the first database is not taken from it.
  const third = { ...settings, DATABASE_URL: getDatabaseUrl(await createTarget()) }
  const refused = await runCommand(['admin', 'restore', file, '--files', files], third)
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('belongs to another database')])
  const wrong = await runCommand(['admin', 'verify-backup', file, '--files', files], settings)
  expect(wrong.exitCode).toBe(2)
})

it('move-files moves all files to a bucket and back, says what cannot be moved, and refuses settings that do not fit', async () => {
  const { settings, names } = await makeFiles()
  const { bucketUrl } = await startS3Server()
  const withBucket = (FILES_STORE: string) => ({
    ...settings,
    FILES_STORE,
    S3_BUCKET_URL: bucketUrl,
    S3_REGION: S3_CREDENTIALS.region,
    S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  })
  const move = (target: string, more: Record<string, string>) =>
    runCommand(['admin', 'move-files', '--to', target], more)
  expect(await move('s3', settings)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Set S3_BUCKET_URL and the keys of the bucket, also to move files out of it.\n',
  })
  const refused = await move('s3', withBucket('directory'))
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('Set FILES_STORE=s3 for all servers')])
  const wrong = await move('tape', withBucket('s3'))
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('wrong arguments: admin move-files --to')])

  const first = join(settings.FILES_DIR, names[0] ?? '')
  await rename(first, `${settings.FILES_DIR}/aside`)
  const incomplete = await runCommandProcess(['admin', 'move-files', '--to', 's3'], withBucket('s3'))
  expect(incomplete).toEqual({
    exitCode: 2,
    stdout: `Moved 2 files (0.0 MB) to ${bucketUrl}.\n1 could not be moved.\nMissing: ${names[0]}\n`,
    stderr: '',
  })
  await rename(`${settings.FILES_DIR}/aside`, first)
  const complete = await move('s3', withBucket('s3'))
  expect(complete).toMatchObject({ exitCode: 0, stderr: '' })
  expect(complete.stdout).toMatch(/^Moved 1 file \(0\.0 MB\) to .*\nNone is left where they were\. Keep both settings/)
  const verified = await runCommand(['admin', 'verify-files', '--digest'], withBucket('s3'))
  expect([verified.exitCode, verified.stdout]).toEqual([
    0,
    expect.stringContaining(`3 files in ${bucketUrl}: 0 missing, 0 damaged, 0 unknown.`),
  ])
  const back = await move('directory', withBucket('directory'))
  expect(back).toMatchObject({ exitCode: 0, stderr: '' })
  expect(back.stdout).toContain(`Moved 3 files (0.0 MB) to ${settings.FILES_DIR}.`)
})

it('admin export writes each project as a bundle with its files, and lists them', async () => {
  const { directory, settings, projectId } = await makeFiles()
  const target = join(directory, 'out')
  const { exitCode, stdout, stderr } = await runCommand(['admin', 'export', target], settings)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const name = `WEB-${projectId}.caseward.zip`
  expect(stdout).toContain(`${name}  Shop`)
  expect(await readdir(target)).toEqual([name])
  const files = await unzip(await readFile(join(target, name)))
  const contents = [...files].filter(([path]) => path.startsWith('files/')).map(([, text]) => text)
  expect(contents.toSorted()).toEqual(CONTENTS.toSorted())
  expect(files.get('records.ndjson')).toContain('"email":')
})
