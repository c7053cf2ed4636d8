import fc from 'fast-check'

import { type Json, verbatim } from './json-text.ts'

/** Strings that often break services: not storable, code injection, or of another length in another letter case. */
export const hostileTexts = [
  '',
  ' ',
  '\uFEFF',
  '\uFFFE\uFFFF',
  '\u202Eesrever',
  'e\u0301'.repeat(40),
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u0130\u0131\u00DF\uFB01',
  '\u0000\u0001\u0007\u001B[31m\u007F\u0085',
  "'; drop table projects; --",
  "' or '1'='1",
  '$1',
  '%',
  '_%\\',
  '\\',
  '\\u0000',
  '"',
  '../../../etc/passwd',
  '%2e%2e%2f',
  '${7*7}',
  '<script>alert(1)</script>',
  '\r\nSet-Cookie: a=b',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'infinity',
  '-infinity',
  'now',
  'none',
  '0',
  '-1',
  '1e400',
  '0x10',
  '9007199254740993',
  '99999999999999999999999999',
  '2026-02-30',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999-23:59',
  '2026-11-21T09:30:60+99:99',
  '00000000-0000-0000-0000-000000000000',
  '01A1FC2B-5F29-7584-9E03-D27674921B66',
  'WEB-0',
  'WEB-2147483648',
  'WEB-01',
  'x'.repeat(256),
  '\u{1F600}'.repeat(300),
] as const

/** Strings that PostgreSQL cannot store. */
export const unstorable = fc.constantFrom('\0', 'a\0b', '\uD800', 'x\uDC00y')

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  // Halves of surrogate pairs, in any order.
  { weight: 1, arbitrary: fc.array(fc.integer({ max: 0xffff, min: 0 })).map((codes) => String.fromCharCode(...codes)) },
)

const nested = (depth: number) => verbatim('['.repeat(depth) + ']'.repeat(depth))

/** An object with many keys. */
const wide = (keyCount: number): Json =>
  Object.fromEntries(Array.from({ length: keyCount }, (_, index) => [`key ${index}`, index]))

/** Values of any type, in place of the expected one. */
export const anyValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, '', '5', [], {}, [null], [[]], [{}], { length: 3 }),
  fc.constantFrom('-0', '1e400', '-1e400', '1e-400', '9007199254740993', '2147483648', '1e2').map(verbatim),
  // Bodies have up to 32 levels, of which the value can take 30 or fewer.
  fc.constantFrom(20, 28, 33, 5000).map(nested),
  fc.constantFrom(1000, 1001).map(wide),
  fc.constantFrom('{}', '0', '[]').map((item) => verbatim(`[${`${item},`.repeat(60_000)}${item}]`)),
  hostileText,
  unstorable,
)

/** Names of undeclared properties. Some could change the prototype of all objects. */
export const unusualNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'then',
  'id',
  'project_id',
  'created_at',
  'future',
  '',
  '\0',
  '\uD800',
)
