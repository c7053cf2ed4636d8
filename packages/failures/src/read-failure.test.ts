import { stripVTControlCharacters } from 'node:util'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readFailure } from './read-failure.ts'
import { isExcusedBy, isSameFailure } from './same-failure.ts'
import { sampleFailures } from './sample-failures.test.helper.ts'

const test = { suite: 'cart.spec.ts', name: 'adds a line', file: 'src/cart.spec.ts' }
const otherTest = { suite: 'pay.spec.ts', name: 'pays by card', file: 'src/pay.spec.ts' }
const readMessage = (message: string, of = test) => readFailure({ message, details: '' }, of)

describe('readFailure', () => {
  it.each(sampleFailures)(
    'finds kind, message and frame of $framework',
    ({ test: failed, kind, normalized, frame, ...texts }) => {
      expect(readFailure(texts, failed)).toMatchObject({ kind, message: normalized, frame })
    },
  )

  it.each([
    ['https://a.example/x?y=1', '<url>'],
    ['at 2026-11-28T05:30:00.123Z', 'at <time>'],
    ['at 11/28/2026, 5:30:00 PM', 'at <time>'],
    ['at 28.11.2026 05:30', 'at <time>'],
    ['at Nov 28 05:30:00', 'at <time>'],
    ['at Sat Nov 28 2026 05:30:00 GMT+0100 (Central European Standard Time)', 'at <time>'],
    ['to localhost:5432 and [::1]:80', 'to <addr> and <addr>'],
    ['of Cart@1a2b3c and 0xFF and deadbeef00', 'of Cart@<ref> and <hex> and <hex>'],
    ['by Cart$$Lambda$14/0x0000', 'by Cart<gen>'],
    ['in /srv/ci-81/src/cart.ts:41:9 or C:\\shop\\cart.cs', 'in <path> or <path>'],
    ['after 5000ms, 1.5 s or 3 minutes', 'after <dur>, <dur> or <dur>'],
    ['of 8.4.12, -3 and 1e9', 'of <n>, <n> and <n>'],
    ['with status 404 and code: 500', 'with status 404 and code: 500'],
    [`of "${'x'.repeat(80)}"`, `of "${'x'.repeat(60)}"`],
    ['while adds a line ran', 'while <test> ran'],
  ])('replaces what differs from run to run: %s', (text, expected) => {
    expect(readMessage(`Broken ${text}`).message).toBe(`Broken ${expected}`)
  })

  it('has one signature for a refused connection in 20 tests of three frameworks', () => {
    const vitest = (text: string, file: string) => ({
      message: text,
      details: `Error: ${text}\n ❯ TCPConnectWrap.afterConnect [as oncomplete] node:net:1615:16\n ❯ ${file}:12:5`,
    })
    const jest = (text: string, file: string) => ({
      message: `\u001B[31mError: ${text}\u001B[39m`,
      details: `Error: ${text}\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)\n    at Object.<anonymous> (/srv/ci-81/${file}:3:1)`,
    })
    const mocha = (text: string, file: string) => ({
      message: text,
      details: `Error: ${text}\r\n      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)\r\n      at Context.<anonymous> (${file}:7:3)`,
    })
    const refused = Array.from({ length: 20 }, (_, index) => {
      const write = [vitest, jest, mocha][index % 3] ?? vitest
      const file = `test/part-${index}.test.ts`
      const text = `connect ECONNREFUSED 10.0.${index}.1:${5000 + index}`
      return readFailure(write(text, file), { suite: `part ${index}`, name: `reads row ${index}`, file })
    })
    expect(new Set(refused.map(({ signature }) => signature)).size).toBe(1)
    expect(refused[0]).toMatchObject({ kind: 'Error', message: 'connect ECONNREFUSED <addr>', isWeak: false })
  })

  it('reads a message once that an attribute of XML has with other white space', () => {
    const details = `java.rmi.ServerException: nested exception is:\n\tjava.lang.IllegalStateException: the cart is closed`
    const message = 'nested exception is:   java.lang.IllegalStateException: the cart is closed'
    expect(readFailure({ message, details }, test).kind).toBe('ServerException')
    expect(readMessage('Element not found\nTimeout: 30 s.').kind).toBe('')
  })

  it('has one signature for each test where the text says too little', () => {
    const weak = ['AssertionError: expected 3 to be 4', '', 'Error', 'Failed', 'expected:<1> but was:<2>']
    const pairs = weak.map((message) => [readMessage(message), readMessage(message, otherTest)])
    expect(pairs.filter((pair) => !pair.every(({ isWeak }) => isWeak) || isSameSignature(pair))).toEqual([])
  })

  it('tells statuses apart, and what happened in other places', () => {
    const statuses = [404, 500].map((status) => readMessage(`Request to the shop failed with status ${status}`))
    expect(isSameSignature(statuses)).toBe(false)
    const frames = ['add', 'remove'].map((name) =>
      readFailure(
        { message: 'TypeError: lines is not iterable', details: `    at ${name} (/srv/src/cart.ts:1:2)` },
        test,
      ),
    )
    expect(isSameSignature(frames)).toBe(false)
  })

  it('keeps its signature when numbers, ids, times, ports, addresses, directories, colors and line ends change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sampleFailures),
        fc.integer({ min: 1, max: 65_535 }),
        fc.uuid(),
        fc.date({ noInvalidDate: true, min: new Date('2001-01-01'), max: new Date('2099-01-01') }),
        fc.ipV4(),
        fc.boolean(),
        fc.boolean(),
        ({ test: failed, message, details }, number, uuid, date, address, isWindows, hasColors) => {
          const color = (text: string) =>
            hasColors
              ? stripVTControlCharacters(text).replace(/\w+/g, '\u001B[1m\u001B[31m$&\u001B[39m\u001B[22m')
              : text
          const change = (text: string) => {
            const changed = text
              .replaceAll('5432', String(number))
              .replace(/(?<=[:(])\d+(?=[:)\n]|$)/gm, String(number))
              .replaceAll('ci-81', `ci-${number}`)
              .replaceAll('8f14e45f-ceea-467f-a1d2-0123456789ab', uuid)
              .replaceAll('127.0.0.1', address)
              .replaceAll('[5] with length 3', `[${number}] with length ${number % 7}`)
              .replace(/\/(?:srv|home)(?=\/)/g, `/tmp/build-${uuid}`)
            return color(isWindows ? changed.replaceAll('\n', '\r\n') : changed)
          }
          const suffix = (time: Date) => ` at ${time.toISOString()}`
          const before = readFailure({ message: message + suffix(new Date(0)), details }, failed)
          const after = readFailure({ message: change(message) + suffix(date), details: change(details) }, failed)
          expect(after).toMatchObject({ signature: before.signature, kind: before.kind, frame: before.frame })
        },
      ),
    )
  })

  it('has a title in one line without passwords, tokens and control characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 20, unit: 'grapheme-ascii' }), (text) => {
        const secret = `s3cr3t${text.replace(/[^A-Za-z0-9]/g, 'x')}`
        const { title } = readMessage(
          `Error: GET https://ada:${secret}@shop.test\u0007 with Authorization: Bearer ${secret}\nand token=${secret}&a=1, password: "${secret}"`,
        )
        expect(title).not.toContain(secret)
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(title).not.toMatch(/[\u0000-\u001f]/)
        expect(title).toMatch(/^Error: GET https:\/\/…@shop\.test/)
      }),
    )
    expect(readMessage('😀'.repeat(500)).title).toBe(`${'😀'.repeat(99)}…`)
  })

  it('reads long texts of any kind in time', () => {
    const parts = ['a.', 'at a', '"', '::', '(/', 'E  ', '1', 'a/', '@', ' ', '$$', 'at (', '\\', 'x'.repeat(999)]
    const times = parts.map((part) => {
      const text = part.repeat(Math.min(100_000, 10_000_000 / part.length))
      const start = process.cpuUsage()
      readFailure({ message: text, details: `\n${text}` }, test)
      return { part, ms: process.cpuUsage(start).user / 1000 }
    })
    expect(times.filter(({ ms }) => ms > 500)).toEqual([])
  })
})

const isSameSignature = ([a, b]: { signature: string }[]): boolean => a?.signature === b?.signature

describe('isSameFailure', () => {
  it('compares by signature, else by kinds and messages that hardly differ', () => {
    const text = 'Error: the total of the cart with all of its lines and all discounts of the shop is wrong'
    expect(isSameFailure(readMessage(text), readMessage(text.replace('wrong', 'bad')))).toBe(true)
    expect(isSameFailure(readMessage(text), readMessage(`TypeE${text.slice(1)}`))).toBe(false)
    expect(isSameFailure(readMessage(text), readMessage('Error: the shop is closed'))).toBe(false)
    expect(isSameFailure(readMessage(''), readMessage('', otherTest))).toBe(true)
    // A few letters tell these apart.
    const asked = (end: string) => readMessage(`${text}, as the payment service of the shop said in the end: ${end}`)
    expect(isSameFailure(asked('SIGSEGV'), asked('SIGABRT'))).toBe(false)
    expect(isSameFailure(asked('status 404'), asked('status 500'))).toBe(false)
    expect(isSameFailure(asked('the cause is known'), asked('the cases is known'))).toBe(true)
  })
})

describe('isExcusedBy', () => {
  it.each([
    [
      'other values of a failure that says enough',
      'Error: 3 lines of the cart are missing',
      'Error: 4 lines of the cart are missing',
      true,
    ],
    ['the same bare values', 'expected:<3> but was:<4>', 'expected:<3> but was:<4>', true],
    ['other bare values', 'expected:<3> but was:<4>', 'expected:<3> but was:<5>', false],
    ['other bare times', 'expected 10:00:00 to be 10:00:01', 'expected 10:00:00 to be 10:00:02', false],
    ['other bare names', "expected 'a' to be 'b'", "expected 'a' to be 'c'", false],
    ['other addresses in memory', 'assert <Line at 0x7f01ab22> is None', 'assert <Line at 0x7f99ab31> is None', true],
    ['no text', '', '', true],
  ])('%s: %s, %s', (_what, now, before, isExcused) => {
    expect(isExcusedBy(readMessage(now), readMessage(before))).toBe(isExcused)
  })
})
