import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findReportFiles, type ReportFilesOptions } from './report-files.ts'

let root: string
let cwd: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'caseward-files-'))
  cwd = join(root, 'work')
  mkdirSync(cwd)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content = path) {
  const absolute = join(root, path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, content)
}

/** A failed test that names the files, and one that passed. */
const report = (paths: readonly string[], passedPath = 'passed.png') => {
  const property = (path: string) => `<property name="attachment" value="${path}"/>`
  return `<testsuite><testcase name="a"><failure/>${paths.map(property).join('')}</testcase><testcase name="b">${property(passedPath)}</testcase></testsuite>`
}

async function find(paths: readonly string[], options: Partial<ReportFilesOptions> = {}) {
  const bytes = Buffer.from(report(paths))
  const { declared, contents, refused } = await findReportFiles(bytes, join(cwd, 'out/report.xml'), {
    of: 'failed',
    directories: [cwd],
    includesOutput: false,
    equalNames: undefined,
    ...options,
  })
  return {
    declared: declared.map(({ path }) => path),
    texts: await Promise.all(contents.map(async (file) => Buffer.from(await file.read(0, file.byteCount)).toString())),
    digests: declared.map(({ sha256 }) => sha256),
    refused: Object.fromEntries(refused.map(({ name, code }) => [name, code])),
  }
}

describe('findReportFiles', () => {
  it('searches the directory of the report, the directories of the options, and the working directory, in this order', async () => {
    for (const path of ['work/out/a.png', 'work/extra/a.png', 'work/extra/b.png', 'work/b.png', 'work/c d.png'])
      write(path)
    const found = await find(['a.png', 'b.png', 'c d.png', 'sub\\..\\c d.png'], {
      directories: [join(cwd, 'extra'), cwd],
    })
    expect(found.texts).toEqual(['work/out/a.png', 'work/extra/b.png', 'work/c d.png', 'work/c d.png'])
    expect(found.digests[0]).toBe(createHash('sha256').update('work/out/a.png').digest('hex'))
    expect(found.declared).toEqual(['a.png', 'b.png', 'c d.png', 'sub\\..\\c d.png'])
  })

  it('refuses files outside of these directories: absolute, by .., and through symbolic links', async () => {
    write('secret.txt')
    write('work/inside.txt')
    symlinkSync('/etc/passwd', join(cwd, 'link.txt'))
    symlinkSync(root, join(cwd, 'up'))
    const outside = [
      '/etc/passwd',
      '../../secret.txt',
      '..\\..\\secret.txt',
      'link.txt',
      'up/secret.txt',
      join(root, 'secret.txt'),
    ]
    const { declared, refused } = await find([...outside, 'up/work/inside.txt', join(cwd, 'inside.txt')])
    expect(refused).toEqual(Object.fromEntries(outside.map((path) => [path, 'outside_directory'])))
    expect(declared).toEqual(['up/work/inside.txt', join(cwd, 'inside.txt')])
  })

  it('refuses what is missing, a directory, or a data: address that is not valid', async () => {
    mkdirSync(join(cwd, 'folder'))
    const { declared, refused } = await find(['none.png', 'folder', '.', 'data:,%zz'])
    expect({ declared, refused }).toEqual({
      declared: [],
      refused: { 'none.png': 'not_found', folder: 'not_found', '.': 'not_found', 'data:': 'unreadable' },
    })
  })

  it.each([
    ['failed', ['a.png']],
    ['all', ['a.png', 'passed.png']],
    ['none', []],
  ] as const)('finds the files of the tests that the option names: %s', async (of, declared) => {
    write('work/a.png')
    write('work/passed.png')
    expect((await find(['a.png'], { of })).declared).toEqual(declared)
  })

  it('finds the content of data: addresses, and the output of failed tests if it is asked for', async () => {
    const xml = `<testsuite><testcase name="a"><failure/><system-out>said</system-out><property name="attachment" value="data:,hi"/></testcase></testsuite>`
    const read = async (includesOutput: boolean) => {
      const options = { of: 'failed', directories: [cwd], includesOutput, equalNames: undefined } as const
      const { declared, contents } = await findReportFiles(Buffer.from(xml), null, options)
      const texts = await Promise.all(contents.map(async (file) => Buffer.from(await file.read(0, 9)).toString()))
      return declared.map(({ path }, index) => [path.replace(/:.*/, ''), contents[index]?.name, texts[index]])
    }
    expect(await read(false)).toEqual([['data', 'attachment.txt', 'hi']])
    expect(await read(true)).toEqual([
      ['data', 'attachment.txt', 'hi'],
      ['output', 'output.txt', 'said'],
    ])
  })

  it('finds none in a report that cannot be read', async () => {
    const options = { of: 'all', directories: [cwd], includesOutput: true, equalNames: undefined } as const
    expect(await findReportFiles(Buffer.from('<testsuite>'), null, options)).toMatchObject({
      declared: [],
      refused: [],
    })
  })
})
