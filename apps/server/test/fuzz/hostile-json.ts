import fc from 'fast-check'

/** Changes a JSON text so that it is malformed or unusual. */
export const spoilJson = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(text, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([json, share]) => json.slice(0, json.length * share)),
    text.map((json) => json.replace('{', '{"name":1,"name":2,"status":"x",')),
    text.map((json) => `\uFEFF${json}`),
    text.map((json) => `${json}${json}`),
    text.map((json) => `[${json}]`),
    text.map((json) => `${json},`),
    text.map((json) => json.replaceAll('"', "'")),
    text.map((json) => json.replace(/:[^,}]*/, ':NaN')),
    text.map((json) => json.replace('{', '{"__proto__":{"role":"admin"},')),
    text.map((json) => json.replace('{', '{"constructor":{"prototype":{"role":"admin"}},')),
    text.map((json) => json.replace('{', '{"\\u0000":"\\ud800",')),
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
    text.map((json) => json.replace('{', `{"future":${'['.repeat(31)}${']'.repeat(31)},`)),
    text.map((json) => json.replace('{', `{"future":${'['.repeat(32)}${']'.repeat(32)},`)),
    fc.constantFrom(1001, 50_000).map((count) => `{${'"a":0,'.repeat(count)}"a":0}`),
    fc.constantFrom(100_001, 150_000).map((count) => `{"a":{"b":[${'0,'.repeat(count)}0]}}`),
    fc.constantFrom(5000, 100_000).map((depth) => '[{"a":'.repeat(depth)),
    fc.constantFrom(5000, 100_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  )
