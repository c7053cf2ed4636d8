import { spawn } from 'node:child_process'
import { readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { TestResult } from '@caseward/contract/results'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { buildCommand } from '@caseward/test-support/caseward-command'
import { useSharedServer } from '@caseward/test-support/test-server'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import { makeUser } from '@caseward/test-support/users'

/* Runs the shell commands of README.md; only the port is replaced. */

const root = fileURLToPath(new URL('../../../..', import.meta.url))

let readme: string
const server = useSharedServer()
let directory: string
beforeAll(async () => {
  await buildCommand()
  readme = await readFile(join(root, 'README.md'), 'utf8')
  directory = await createUnmanagedDirectory('programs')
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
})
afterAll(async () => {
  await rm(directory, { recursive: true })
})

/** Returns the shell blocks below a heading, in order. */
function getShellBlocks(heading: string): string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** Runs all blocks in one shell and returns the output of each. */
async function runBlocks(blocks: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const shell = spawn('bash', ['-c', blocks.join(`\nprintf '\\0'\n`)], {
    cwd: directory,
    // Offline, so that npm runs the packages that are built here and none from the registry.
    env: { PATH: process.env['PATH'], HOME: directory, npm_config_offline: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const exitCode = await new Promise<number | null>((resolve) => shell.on('close', resolve))
  if (exitCode !== 0) throw new Error(`bash ended with ${exitCode}: ${output.stderr}`)
  return output.stdout.split('\0')
}

describe('README, “Start it” with a first user', () => {
  it('prints the line that exports ADMIN_TOKEN in another terminal', async () => {
    const block = getShellBlocks('Start it').find((text) => text.includes('ADMIN_TOKEN=')) ?? ''
    expect(block).toMatch(/\nnpm start\n$/)
    const [line = ''] = await runBlocks([block.replace(/npm start\n$/, '')])
    expect(line).toMatch(/^export ADMIN_TOKEN=\S{32,}\n$/)
    expect(await runBlocks([`${line}printf %s "$ADMIN_TOKEN"`])).toEqual([line.trim().split('=')[1]])
  })
})

describe('README, “A first upload”', () => {
  let printed: string[]
  let results: TestResult[]
  beforeAll(async () => {
    const { token } = await makeUser(server)
    const blocks = getShellBlocks('A first upload')
    const { port } = new URL(server.url)
    const blocksWithPort = blocks.map((block) => block.replace('http://localhost:3000', `http://localhost:${port}`))
    printed = await runBlocks(blocksWithPort, { ADMIN_TOKEN: token })
    results = (JSON.parse(printed[1]?.slice(printed[1].indexOf('{')) ?? '') as { data: TestResult[] }).data
  })

  it('stores the results of the report with the caseward command', () => {
    expect(printed[1]).toContain('results.xml: 2 stored (1 passed, 1 failed)')
    expect(results).toMatchObject([
      { test_case_id: 'WEB-1', test_case_title: 'Signs in', status: 'passed' },
      { test_case_id: 'WEB-2', test_case_title: 'Pays by card', status: 'failed' },
    ])
    expect(results[1]?.note).toContain('The total is wrong')
  })

  it('stores the same results with curl', () => {
    expect(JSON.parse(printed[2] ?? '')).toMatchObject({ uploaded_count: 2, stats: { passed: 1, failed: 1 } })
  })
})
