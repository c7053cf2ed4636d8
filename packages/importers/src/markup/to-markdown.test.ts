import { describe, expect, it } from 'vitest'

import type { Markup } from '../records.ts'
import { toMarkdown } from './to-markdown.ts'

describe('toMarkdown', () => {
  it.each<[Markup, string, string]>([
    ['html', '<p>a <b>b</b> <em>c</em></p><p>d<br>e</p>', 'a **b** _c_\n\nd\ne'],
    ['html', '<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>', '1. a\n2. b\n    - c'],
    ['html', '<table><tr><th>A</th></tr><tr><td>2|3</td></tr></table>', '| A |\n| --- |\n| 2\\|3 |'],
    ['html', '<a href="https://x.test/a">x</a> <a href="javascript:alert(1)">y</a>', '[x](https://x.test/a) y'],
    ['html', '<img src="https://x.test/p.png" alt="p"><script>alert(1)</script>', '![p](https://x.test/p.png)'],
    ['html', '<pre>a &lt; b\n*c*</pre>', '```\na < b\n*c*\n```'],
    ['html', '5 * 3 < 4_a_b &amp; #1', '5 * 3 < 4_a_b & #1'],
    ['jira', 'h2. Title\n*b* _i_ {{code}} [x|https://x.test]', '## Title\n**b** _i_ `code` [x](https://x.test)'],
    ['jira', '# one\n# two\n* a\n** b', '1. one\n1. two\n- a\n    - b'],
    ['jira', '||A||B||\n|1|2|', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    ['jira', '{code:java}\nint *a*;\n{code}\n!shot.png|thumbnail!', '```java\nint *a*;\n```\n![](shot.png)'],
    ['textile', 'h1. T\n\n*b* "x":https://x.test @c@', '# T\n\n**b** [x](https://x.test) `c`'],
    ['testrail', '|||:A|:B\n|| 1 | 2\n', '| A | B |\n| --- | --- |\n| 1 | 2 |\n'],
    ['plain', 'a *b* <c>', 'a *b* <c>'],
    ['markdown', 'a **b**', 'a **b**'],
  ])('converts %s: %s', (markup, text, expected) => {
    expect(toMarkdown(text, markup)).toEqual({ text: expected, isDropped: false })
  })
})
