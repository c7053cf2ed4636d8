import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findFiles } from './find-files.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-find-'))
})
afterEach(() => rm(cwd, { recursive: true }))

async function write(...names: string[]) {
  for (const name of names) {
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await writeFile(join(cwd, name), '<a/>')
  }
}
const names = async (...args: string[]) => (await findFiles(args, cwd)).files.map(({ name }) => name)
const reasons = async (...args: string[]) => (await findFiles(args, cwd)).unmatched

describe('findFiles', () => {
  it('returns files in the given order, with their sizes', async () => {
    await write('b.xml', 'a.xml', 'other.xml')
    expect(await findFiles(['b.xml', './a.xml'], cwd)).toEqual({
      files: [
        { name: 'b.xml', path: join(cwd, 'b.xml'), sizeBytes: 4, isNamed: true },
        { name: './a.xml', path: join(cwd, 'a.xml'), sizeBytes: 4, isNamed: true },
      ],
      unmatched: [],
    })
  })

  it('takes the names of all XML files of a directory for a pattern that the shell has expanded', async () => {
    await write('r/a.xml', 'r/b.xml', 'r/notes.txt', 's/c.xml')
    const { files } = await findFiles(['r/a.xml', 'r/b.xml', 's/c.xml'], cwd)
    expect(files.map(({ isNamed }) => isNamed)).toEqual([false, false, true])
  })

  it('expands a pattern and sorts shard-2 before shard-10', async () => {
    await write('r/shard-10.xml', 'r/shard-2.xml', 'r/notes.txt', 'r/deep/x.xml')
    expect(await names('r/*.xml')).toEqual(['r/shard-2.xml', 'r/shard-10.xml'])
    expect(await names('r/**/*.xml')).toEqual(['r/deep/x.xml', 'r/shard-2.xml', 'r/shard-10.xml'])
    expect(await names('r/shard-{2,3}.xml')).toEqual(['r/shard-2.xml'])
  })

  it('expands an absolute pattern and a pattern outside of the working directory', async () => {
    await write('here/x', 'there/a.xml')
    const from = join(cwd, 'here')
    const path = join(cwd, 'there/a.xml')
    expect((await findFiles(['../there/*.xml'], from)).files).toEqual([
      { name: path, path, sizeBytes: 4, isNamed: false },
    ])
    expect((await findFiles([join(cwd, 'there/*.xml')], from)).files).toEqual([
      { name: path, path, sizeBytes: 4, isNamed: false },
    ])
  })

  it('returns the XML files of a directory without those of its subdirectories', async () => {
    await write('r/b.xml', 'r/a.XML', 'r/c.json', 'r/deep/d.xml')
    expect(await names('r')).toEqual(['r/a.XML', 'r/b.xml'])
  })

  it('accepts a directory whose name looks like a pattern', async () => {
    await write('build [1]/a.xml')
    expect(await names('build [1]/')).toEqual(['build [1]/a.xml'])
  })

  it('treats the name of an existing file as a name, not as a pattern', async () => {
    await write('results[1].xml', 'results1.xml')
    expect(await names('results[1].xml')).toEqual(['results[1].xml'])
  })

  it('returns each file once', async () => {
    await write('r/a.xml', 'r/b.xml')
    expect(await names('r/b.xml', 'r', 'r/*.xml', '-', '-')).toEqual(['r/b.xml', 'r/a.xml', '-'])
  })

  it('skips node_modules unless the pattern names it', async () => {
    await write('a/t.xml', 'node_modules/p/t.xml')
    expect(await names('**/t.xml')).toEqual(['a/t.xml'])
    expect(await names('node_modules/*/t.xml')).toEqual(['node_modules/p/t.xml'])
  })

  it('skips hidden files and directories unless the pattern names them', async () => {
    await write('a/t.xml', '.cache/t.xml', 'a/.t.xml')
    expect(await names('**/*.xml')).toEqual(['a/t.xml'])
    expect(await names('a')).toEqual(['a/t.xml'])
    expect(await names('.cache/*.xml', '**/.t.xml')).toEqual(['.cache/t.xml', 'a/.t.xml'])
  })

  it('follows a link to a directory, but not to one of its ancestors', async () => {
    await write('real/t.xml')
    await symlink('../real', join(cwd, 'real/again'))
    await symlink('real', join(cwd, 'linked'))
    expect(await names('linked/**/*.xml')).toEqual(['linked/t.xml'])
  })

  it('returns a reason for each argument without files, and the files of the others', async () => {
    await write('a.xml')
    await mkdir(join(cwd, 'empty'))
    const found = await findFiles(['gone.xml', 'a.xml', 'r/*.xml', 'empty', 'a.xml/b.xml'], cwd)
    expect(found.files).toHaveLength(1)
    expect(found.unmatched).toEqual([
      { name: 'gone.xml', reason: `file not found in ${cwd}`, isPattern: false },
      { name: 'r/*.xml', reason: `no file in ${cwd} matches this pattern`, isPattern: true },
      { name: 'empty', reason: 'the directory contains no *.xml files', isPattern: true },
      { name: 'a.xml/b.xml', reason: `file not found in ${cwd}`, isPattern: false },
    ])
  })

  it('suggests a pattern when only subdirectories contain XML files', async () => {
    await write('build/test-results/a.xml', 'build/test-results/b.xml')
    expect(await reasons('build')).toEqual([
      {
        name: 'build',
        reason: "the directory contains no *.xml files, but its subdirectories contain 2: use 'build/**/*.xml'",
        isPattern: true,
      },
    ])
  })

  it('returns a broken link that a pattern matches, so that the upload reports it', async () => {
    await write('r/a.xml')
    await symlink('gone', join(cwd, 'r/broken.xml'))
    expect(await names('r/*.xml')).toEqual(['r/a.xml', 'r/broken.xml'])
  })

  it('returns a reason for a broken link', async () => {
    await symlink('gone', join(cwd, 'dangling.xml'))
    expect(await reasons('dangling.xml')).toEqual([
      { name: 'dangling.xml', reason: `file not found in ${cwd}`, isPattern: false },
    ])
  })
})
