import fc from 'fast-check'

/** Changes a JSON text so that it is malformed or unusual. */
export const spoilJson = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(text, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([whole, share]) => whole.slice(0, whole.length * share)),
    text.map((whole) => whole.replace('{', '{"name":1,"name":2,"status":"x",')),
    text.map((whole) => `\uFEFF${whole}`),
    text.map((whole) => `${whole}${whole}`),
    text.map((whole) => `[${whole}]`),
    text.map((whole) => `${whole},`),
    text.map((whole) => whole.replaceAll('"', "'")),
    text.map((whole) => whole.replace(/:[^,}]*/, ':NaN')),
    text.map((whole) => whole.replace('{', '{"__proto__":{"role":"admin"},')),
    text.map((whole) => whole.replace('{', '{"constructor":{"prototype":{"role":"admin"}},')),
    text.map((whole) => whole.replace('{', '{"\\u0000":"\\ud800",')),
    fc.constantFrom(
      '',
      ' ',
      'null',
      'true',
      '0',
      '-0',
      '1e400',
      '""',
      '[]',
      '{}',
      '[[[[',
      '{"a":',
      '\0',
      'undefined',
      '//',
    ),
    fc.constantFrom(5000, 100_000).map((depth) => '[{"a":'.repeat(depth)),
    fc.constantFrom(5000, 100_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  )
