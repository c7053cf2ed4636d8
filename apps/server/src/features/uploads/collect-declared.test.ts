import { MAX_DECLARED_ATTACHMENTS } from '@caseward/contract/declared-attachments'
import { describe, expect, it } from 'vitest'

import { collectDeclared, createFileFinder, type DeclaringAttempt } from './collect-declared.ts'

const sha256 = 'a'.repeat(64)
const attempt = (attachments: DeclaringAttempt['attachments'], fields: Partial<DeclaringAttempt> = {}) => ({
  testId: 't1',
  caseNumbers: [],
  source: 1,
  attempt: 1,
  report: undefined,
  isStored: true,
  attachments,
  ...fields,
})
const named = (path: string) => ({ name: path.slice(path.lastIndexOf('/') + 1), path })
const options = { findFile: createFileFinder([]), limitBytes: 1000 }

describe('collectDeclared', () => {
  it('finds what a report names in the files of the body: those of the report first, whatever the slashes', () => {
    const other = 'b'.repeat(64)
    const findFile = createFileFinder([
      { path: 'out\\shot.png', sha256, byte_count: 5 },
      { path: 'out/shot.png', sha256: other, byte_count: 6, report: './b.xml' },
    ])
    const collected = collectDeclared(
      ['a.xml', 'b.xml'].map((report) => attempt([named('./out/shot.png')], { report })),
      { ...options, findFile },
    )
    expect(collected.declarations.map((declaration) => [declaration.sha256, declaration.byteCount])).toEqual([
      [sha256, 5],
      [other, 6],
    ])
  })

  it('refuses with its path what a report names and the body does not list', () => {
    const { declared, declarations, refused } = collectDeclared([attempt([named('/etc/passwd')])], options)
    expect([declared, declarations, refused]).toMatchObject([1, [], [{ name: '/etc/passwd', code: 'not_declared' }]])
  })

  it('cleans names, and declares an equal name and content of an attempt once', () => {
    const file = { sha256, byteCount: 1 }
    const names = ['a\u202Egpj.exe', 'a\u0000gpj.exe', '', 'x'.repeat(300)]
    const { declarations } = collectDeclared([attempt(names.map((name) => ({ ...file, name })))], options)
    expect(declarations.map(({ name }) => name)).toEqual(['agpj.exe', 'file', 'x'.repeat(255)])
  })

  it('refuses what exceeds the limit of an upload', () => {
    const attachments = Array.from({ length: 20 }, (_, index) => ({ name: String(index), sha256, byteCount: 1 }))
    const attempts = Array.from({ length: MAX_DECLARED_ATTACHMENTS / 20 + 1 }, () => attempt(attachments))
    const { declared, declarations, refused } = collectDeclared(attempts, options)
    expect([declared, declarations.length]).toEqual([MAX_DECLARED_ATTACHMENTS + 20, MAX_DECLARED_ATTACHMENTS])
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_attachments']))
  })
})
