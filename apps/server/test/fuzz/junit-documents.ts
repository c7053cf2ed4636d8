import fc from 'fast-check'

import { hostileTexts } from './hostile-values.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (letter) => escapes[letter] ?? letter)

const short = hostileTexts.filter((text) => text.length < 100)
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(...short) },
)
const times = fc.constantFrom('0', '1.5', '1,234.5', '-3', '', 'NaN', '<<computed>>', '1e400', '2147483647', '1e12')

/** Names with one test case id, several, a repeated one, or none. Ids are slots that are filled before sending. */
const names = fc.oneof(
  fc.constantFrom(
    '[{{test_case.id:0}}] logs in',
    '{{test_case.id:1}}, {{test_case.id:2}}: both',
    '{{test_case.id:1}} {{test_case.id:1}}',
    'WEB-99999',
    'no id',
  ),
  text,
)

const outcomes = fc.constantFrom(
  'failure',
  'error',
  'skipped',
  'flakyFailure',
  'rerunError',
  'system-out',
  'properties',
  'x',
)

const inner = fc.oneof(
  fc.constant(''),
  fc
    .tuple(outcomes, text, text)
    .map(([kind, message, body]) => `<${kind} message="${escaped(message)}" type="T">${escaped(body)}</${kind}>`),
  names.map((id) => `<properties><property name="test_case_id" value="${escaped(id)}"/></properties>`),
  names.map((id) => `<system-out><![CDATA[[[PROPERTY|test_case_id=${id.replaceAll(']]>', '')}]]]]></system-out>`),
)

const testcase = fc
  .tuple(names, text, times, fc.array(inner, { maxLength: 3 }))
  .map(
    ([name, classname, time, inside]) =>
      `<testcase name="${escaped(name)}" classname="${escaped(classname)}" time="${escaped(time)}">${inside.join('')}</testcase>`,
  )

const suite = fc
  .tuple(names, fc.array(testcase, { maxLength: 5 }), fc.constantFrom('', '<error message="did not load"/>'))
  .map(([name, cases, error]) => `<testsuite name="${escaped(name)}" tests="-1">${cases.join('')}${error}</testsuite>`)

const suites = fc.array(suite, { maxLength: 3 }).map((all) => `<testsuites>${all.join('')}</testsuites>`)

/** Prologs of reports of real tools. */
const prologs = fc.constantFrom(
  '',
  '<?xml version="1.0" encoding="UTF-8"?>\n',
  '\uFEFF<?xml version="1.0" encoding="utf-16"?>',
  '\n\n<?xml version="1.0"?><?xml-stylesheet href="x"?>',
  '<!DOCTYPE testsuites>',
)

export const junitDocument: fc.Arbitrary<string> = fc
  .tuple(prologs, fc.oneof(suite, suites))
  .map((parts) => parts.join(''))

const bomb = Array.from({ length: 12 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`).join('')

/** XML that is malformed, of another format, or an attack. */
export const hostileXml: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(junitDocument, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([document, share]) => document.slice(0, document.length * share)),
  junitDocument.map((document) => document.replace('>', ' a="1" a="2" <>')),
  junitDocument.map((document) => `${document}${document}`),
  fc.constantFrom(
    '',
    ' ',
    'no xml',
    '{"results":[]}',
    `<!DOCTYPE t [<!ENTITY e0 "x">${bomb}]><testsuite><testcase name="&e12;"/></testsuite>`,
    '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>',
    '<!DOCTYPE t SYSTEM "http://127.0.0.1:1/x.dtd"><testsuite/>',
    '<!DOCTYPE t [',
    '<testsuite><testcase name="&#0;&#xD800;&#x110000;&#99999999999;&nothing;"/></testsuite>',
    '<?xml version="1.0" encoding="no-such-encoding"?><testsuite><testcase name="é"/></testsuite>',
    '<?xml version="9.9"?><testsuite/>',
    '<html><body/></html>',
    '<assemblies/>',
    '<a:testsuite xmlns:a="b"><a:testcase a:name="x"/></a:testsuite>',
    '<testsuite><![CDATA[',
    '<testsuite><!-- -- --></testsuite>',
    '<testsuite>'.repeat(20_000),
    `<testsuite><testcase name="${'x'.repeat(100_000)}"/></testsuite>`,
    `<testsuite ${Array.from({ length: 5000 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
    `<testsuite>${'<testcase name="[{{test_case.id:0}}]" time="2147483647"/>'.repeat(50)}</testsuite>`,
    `<testsuite>${'<testcase name="a"><properties><property name="test_case_id" value="{{test_case.id:0}}"/></properties></testcase>'.repeat(3)}</testsuite>`,
  ),
)
