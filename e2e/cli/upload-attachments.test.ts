import { createHash } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'

import type { RunTest, RunTestDetail } from '@caseward/contract/run-tests'
import { describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'
import { useUploadScenario } from './upload-scenario.ts'

const scenario = useUploadScenario()

const property = (name: string, value: string) => `<property name="${name}" value="${value}"/>`

/** WEB-1 fails twice, WEB-2 passes; both name files. */
const buildReport = (
  text: string,
) => `<testsuite name="Cart"><properties>${property('attachment', 'video.mp4')}</properties>
  <testcase name="WEB-1 pays"><failure message="no card">at pay.js
[[ATTACHMENT|shots/pay.png]]
</failure><rerunFailure><system-out>
[[ATTACHMENT|shots\\again.png]]
</system-out></rerunFailure>
  <system-out>said &lt;this&gt; ${text}</system-out>
  ${property('step[passed]', 'opens')}${property('step[failure]', 'pays')}
  ${property('attachment', 'data:text/plain,${text}')}${property('attachment', '/etc/passwd')}</testcase>
  <testcase name="WEB-2 is empty">${property('attachment', 'shots/empty.png')}</testcase></testsuite>`

let count = 0

/** Writes the report and its files, with contents that the project does not have yet. Returns what is in all of them. */
async function writeReport(): Promise<string> {
  const text = `${process.pid}-${count++}`
  await scenario.write('out/report.xml', buildReport(text))
  for (const path of ['out/shots/pay.png', 'out/shots/again.png', 'out/shots/empty.png'])
    await scenario.write(path, `${path} ${text}`)
  return text
}

const get = async <T>(path: string) =>
  (
    await scenario.server.request<{ data: T }>('GET', `/v1/runs/${scenario.runId}/${path}`, {
      token: scenario.project.admin.token,
    })
  ).body.data

async function readTest(name: string): Promise<RunTestDetail> {
  const test = (await get<RunTest[]>('tests')).find((one) => one.name === name)
  return await get<RunTestDetail>(`tests/${test?.id}`)
}

async function readFiles(name: string) {
  const { attachments } = await readTest(name)
  return attachments.map(({ attempt, name: file, state }) => `${attempt} ${file} ${state}`).toSorted()
}

const runCommand = (args: readonly string[], token: string) =>
  runInProcess(args, {
    cwd: scenario.cwd,
    env: { SERVICE_URL: scenario.server.url, SERVICE_TOKEN: token, SERVICE_RUN_ID: scenario.runId },
  })

describe('caseward upload of a report that names files', () => {
  it('sends those of failed tests to their attempts, the output, and the steps, and refuses files outside', async () => {
    const text = await writeReport()
    // Sent in parts.
    await scenario.write('logs/video.mp4', Buffer.alloc(9 * 1_048_576, text))
    const { exitCode, stdout, stderr } = await scenario.upload([
      '--attachments-dir',
      'logs',
      '--output',
      'out/report.xml',
    ])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'out/report.xml: 2 stored (1 passed, 1 failed)\n5 files sent.\n',
    })
    expect(stderr).toBe(
      '/etc/passwd is not attached: it is outside of the directories of the report, --attachments-dir and the command.\n',
    )
    expect(await readFiles('WEB-1 pays')).toEqual([
      '1 attachment.txt complete',
      '1 output.txt complete',
      '1 pay.png complete',
      '2 again.png complete',
      '2 video.mp4 complete',
    ])
    expect(await readFiles('WEB-2 is empty')).toEqual([])
    const { attempts, attachments } = await readTest('WEB-1 pays')
    expect(attempts[0]?.steps).toMatchObject([
      { title: 'opens', status: 'passed' },
      { title: 'pays', status: 'failed' },
    ])
    const output = attachments.find(({ name }) => name === 'output.txt')
    expect(output?.sha256).toBe(createHash('sha256').update(`said <this> ${text}`).digest('hex'))
  })

  it('sends nothing again that the server has, and replaces the attempts of an earlier upload', async () => {
    await writeReport()
    await scenario.upload(['out/report.xml'])
    await scenario.write('out/shots/pay.png', `another picture ${count}`)
    const { stdout } = await scenario.upload(['--json', '--attachments', 'all', 'out/report.xml'])
    expect(JSON.parse(stdout)).toMatchObject({ attachments: { declared: expect.any(Number), sent: 2, remaining: 0 } })
    expect(await readFiles('WEB-1 pays')).toEqual([
      '1 attachment.txt complete',
      '1 pay.png complete',
      '2 again.png complete',
    ])
    expect(await readFiles('WEB-2 is empty')).toEqual(['1 empty.png complete'])
  })

  it('stores the results when the files are gone, and files missing lists what the run waits for', async () => {
    await writeReport()
    const { stdout, exitCode } = await scenario.upload(['--attachments-timeout', '0', 'out/report.xml'])
    const remaining = Number(/\n(\d) still to send: upload again\.\n/.exec(stdout)?.[1])
    expect([exitCode, remaining > 0]).toEqual([0, true])
    expect(await readFiles('WEB-1 pays')).toContain('1 pay.png waiting')
    const missing = await runCommand(['files', 'missing', '--json'], scenario.token)
    expect(missing.exitCode).toBe(2)
    expect(JSON.parse(missing.stdout).missing).toHaveLength(remaining)
    await scenario.upload(['out/report.xml'])
    expect(await runCommand(['files', 'missing'], scenario.token)).toMatchObject({
      exitCode: 0,
      stdout: 'The run waits for no file.\n',
    })
  })
})

describe('caseward attach', () => {
  it('attaches files to a result or to the run, and reports those that it cannot', async () => {
    await scenario.write('a b.log', 'text')
    const result = await runCommand(['attach', '--result', 'web-2', 'a b.log', 'none.log'], scenario.token)
    expect(result).toMatchObject({ exitCode: 2, stderr: 'none.log is not attached: file not found\n' })
    const { id } = (await scenario.readResults()).get('WEB-2') ?? {}
    expect(await get(`results/${id}/attachments`)).toMatchObject([{ name: 'a b.log', byte_count: 4, kind: 'text' }])
    expect(await runCommand(['attach', 'a b.log'], scenario.token)).toMatchObject({ exitCode: 0 })
    expect(await get('attachments')).toMatchObject([{ name: 'a b.log' }])
    expect(await runCommand(['attach', '--result', 'WEB-99', 'a b.log'], scenario.token)).toMatchObject({ exitCode: 1 })
  })

  it('says that a file is larger than the server takes', async () => {
    await scenario.write('huge.bin', '')
    await truncate(join(scenario.cwd, 'huge.bin'), 300 * 1_048_576)
    const result = await runCommand(['attach', 'huge.bin'], scenario.token)
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toMatch(/^huge\.bin is not attached: .*256 MB/)
  })
})
