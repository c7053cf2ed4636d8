import { spawn } from 'node:child_process'
import { readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { TestResult } from '@caseward/contract/results'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { buildCommand } from '@caseward/test-support/caseward-command'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import { makeUser } from '@caseward/test-support/users'

/* README's shell commands, pasted as they stand: only the port is another. */

const root = fileURLToPath(new URL('../../..', import.meta.url))

let readme: string
let server: TestServer
let folder: string
beforeAll(async () => {
  await buildCommand()
  readme = await readFile(join(root, 'README.md'), 'utf8')
  server = await startTestServer()
  folder = await createUnmanagedDirectory('programs')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** The shell's blocks below a heading, in order. */
function blocksBelow(heading: string): string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** What each block prints when all are pasted into one shell, one after the other. */
async function paste(blocks: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const shell = spawn('bash', ['-c', blocks.join(`\nprintf '\\0'\n`)], {
    cwd: folder,
    // Nothing may come from the registry in place of what is built here.
    env: { PATH: process.env['PATH'], HOME: folder, npm_config_offline: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const exitCode = await new Promise<number | null>((resolve) => shell.on('close', resolve))
  if (exitCode !== 0) throw new Error(`bash ended with ${exitCode}: ${output.stderr}`)
  return output.stdout.split('\0')
}

describe('the start with a first user of your own', () => {
  it('prints the line that gives another terminal its token', async () => {
    const block = blocksBelow('Start it').find((each) => each.includes('ADMIN_TOKEN=')) ?? ''
    expect(block).toMatch(/\nnpm start\n$/)
    const [line = ''] = await paste([block.replace(/npm start\n$/, '')])
    expect(line).toMatch(/^export ADMIN_TOKEN=\S{32,}\n$/)
    expect(await paste([`${line}printf %s "$ADMIN_TOKEN"`])).toEqual([line.trim().split('=')[1]])
  })
})

describe('the first upload', () => {
  let printed: string[]
  let results: TestResult[]
  beforeAll(async () => {
    const { token } = await makeUser(server)
    const blocks = blocksBelow('A first upload')
    const { port } = new URL(server.url)
    const here = blocks.map((block) => block.replace('http://localhost:3000', `http://localhost:${port}`))
    printed = await paste(here, { ADMIN_TOKEN: token })
    results = (JSON.parse(printed[1]?.slice(printed[1].indexOf('{')) ?? '') as { data: TestResult[] }).data
  })

  it('stores with the command what the report says of each test case', () => {
    expect(printed[1]).toContain('results.xml: 2 stored (1 passed, 1 failed)')
    expect(results).toMatchObject([
      { test_case_id: 'WEB-1', test_case_title: 'Signs in', status: 'passed' },
      { test_case_id: 'WEB-2', test_case_title: 'Pays by card', status: 'failed' },
    ])
    expect(results[1]?.note).toContain('The total is wrong')
  })

  it('stores the same with curl alone', () => {
    expect(JSON.parse(printed[2] ?? '')).toMatchObject({ uploaded_count: 2, stats: { passed: 1, failed: 1 } })
  })
})
