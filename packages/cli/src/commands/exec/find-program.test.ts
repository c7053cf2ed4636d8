import { describe, expect, it } from 'vitest'

import { findProgram } from './find-program.ts'

const env = { Path: String.raw`C:\tools;"C:\Program Files\nodejs"`, PATHEXT: '.EXE;.CMD', ComSpec: 'cmd' }
const onWindows = (command: readonly string[], files: readonly string[]) =>
  findProgram(command, { platform: 'win32', env, exists: (path) => files.includes(path) })

describe('findProgram', () => {
  it('leaves commands to the system outside of Windows', () => {
    const expected = { file: 'npx', args: ['jest', 'a b'], isVerbatim: false }
    expect(findProgram(['npx', 'jest', 'a b'], { platform: 'linux', env })).toEqual(expected)
  })

  it('starts a program of Windows itself', () => {
    const node = String.raw`C:\Program Files\nodejs\node.EXE`
    expect(onWindows(['node', 'a b'], [node])).toEqual({ file: node, args: ['a b'], isVerbatim: false })
    expect(onWindows(['node.EXE'], [node]).file).toBe(node)
  })

  it('starts a batch file of Windows with cmd.exe, and escapes what it would interpret', () => {
    const npx = String.raw`C:\Program Files\nodejs\npx.CMD`
    expect(onWindows(['npx', 'jest', '100%', 'a "b" & c\\'], [npx])).toEqual({
      file: 'cmd',
      args: [
        '/d',
        '/s',
        '/c',
        String.raw`"C:\Program^ Files\nodejs\npx.CMD ^"jest^" ^"100^%^" ^"a^ \^"b\^"^ ^&^ c\\^""`,
      ],
      isVerbatim: true,
    })
  })

  it('escapes twice for the batch files of packages, which pass their arguments on', () => {
    const jest = String.raw`node_modules\.bin\jest.CMD`
    expect(onWindows([String.raw`node_modules\.bin\jest`, 'a&b'], [jest]).args.at(-1)).toBe(
      String.raw`"node_modules\.bin\jest.CMD ^^^"a^^^&b^^^""`,
    )
  })

  it('leaves an unknown command as it is, so that starting it fails', () => {
    expect(onWindows(['gone'], [])).toEqual({ file: 'gone', args: [], isVerbatim: false })
  })
})
