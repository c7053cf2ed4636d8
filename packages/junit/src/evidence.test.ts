import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { parseJUnit, type ReaderOptions } from './parse-junit.ts'
import { toReportedTests } from './to-tests.ts'

const yielder = { shouldYield: () => false, yield: () => Promise.resolve() }

const parse = (xml: string, options?: ReaderOptions) => parseJUnit(`<testsuites>${xml}</testsuites>`, options)

async function readOne(content: string, options?: ReaderOptions) {
  const report = await parse(`<testsuite name="Cart">${content}</testsuite>`, options)
  const [test] = await toReportedTests(report, yielder)
  if (test === undefined) throw new Error('The report has no test')
  return test
}

const testcase = (content: string) => `<testcase classname="Cart" name="pays">${content}</testcase>`
const property = (name: string, value: string) => `<property name="${name}" value="${value}"/>`
const failure = '<failure message="no"/>'

/** The files of each attempt, as `name=path`, where the name is more than the end of the path. */
async function readFiles(content: string, options?: ReaderOptions) {
  const { attempts } = await readOne(content, options)
  return attempts.map(({ attachments = [] }) =>
    attachments.map(({ name, path = '' }) => (path.endsWith(name) ? path : `${name}=${path}`)),
  )
}

const readSteps = async (content: string) => (await readOne(content)).attempts[0].steps

describe('the files of a test in a JUnit report', () => {
  it.each([
    ['system-out', '<system-out>a\n\n[[ATTACHMENT|shots/a b.png]]\n</system-out>'],
    ['system-err', '<system-err><![CDATA[\n  [[ATTACHMENT|shots/a b.png]]  \n]]></system-err>'],
    ['the text of a failure', '<failure message="no">at x\n[[ATTACHMENT|shots/a b.png]]\n</failure>'],
    ['the text of an error', '<error>[[ATTACHMENT|shots/a b.png]]</error>'],
    ['the text of a skipped test', '<skipped>[[ATTACHMENT|shots/a b.png]]</skipped>'],
    ['output in a failure', '<failure><system-out>[[ATTACHMENT|shots/a b.png]]</system-out></failure>'],
    ['lines with colors', '<system-out>[[ATTACHMENT|&#27;[31mshots/a b.png&#27;[0m]]</system-out>'],
  ])('are those of lines [[ATTACHMENT|path]] in %s', async (_where, content) => {
    expect(await readFiles(testcase(content))).toEqual([['shots/a b.png']])
  })

  it('are not those that a sentence mentions', async () => {
    const text = 'see [[ATTACHMENT|a.png]]\n[[ATTACHMENT|b.png]] above\n[[ATTACHMENT|]]\n[[ATTACHMENT|c.png'
    expect(await readFiles(testcase(`<system-out>${text}</system-out>`))).toEqual([[]])
  })

  it('belong to the attempt in whose element they are named, and else to the one that the test is about', async () => {
    const line = (name: string) => `<system-out>[[ATTACHMENT|${name}.png]]</system-out>`
    const flaky = `${line('third')}<flakyFailure>${line('first')}</flakyFailure><flakyError>[[ATTACHMENT|second.png]]</flakyError>`
    expect(await readFiles(testcase(flaky))).toEqual([['first.png'], ['second.png'], ['third.png']])
    const failed = `<failure/>${line('first')}<rerunFailure>${line('second')}</rerunFailure>`
    expect(await readFiles(testcase(failed))).toEqual([['first.png'], ['second.png']])
  })

  it('stay in the text of the failure', async () => {
    const { attempts } = await readOne(testcase('<failure message="no">at x\n[[ATTACHMENT|a.png]]</failure>'))
    expect(attempts[0].details).toBe('at x\n[[ATTACHMENT|a.png]]')
  })

  it.each(['attachment', 'attachment2', 'attachment_2', 'Attachment', 'testrail_attachment', 'testrail_attachment_x'])(
    'are those of the property %s, each once',
    async (name) => {
      const content =
        property(name, 'a.png') + property('attachment', 'a.png') + `<property name="${name}"> b.txt </property>`
      expect(await readFiles(testcase(content))).toEqual([['a.png', 'b.txt']])
    },
  )

  it('are none for properties of other names, and paths that are empty, far too long or contain NUL', async () => {
    const content = [
      property('attachments', 'a.png'),
      property('my_attachment', 'a.png'),
      property('attachment', ' '),
      property('attachment', 'a'.repeat(5000)),
      '<property name="attachment" value="a&#0;b"/>',
    ]
    const files = await readFiles(testcase(content.join('')))
    // The parser removes NUL, so that the rest is a path.
    expect(files).toEqual([['ab']])
  })

  it('have the content of a data: address, with its digest', async () => {
    const sha256 = createHash('sha256').update('Hello, World!').digest('hex')
    const addresses = ['data:text/html;base64,SGVsbG8sIFdvcmxkIQ==', 'data:,Hello,%20World!']
    for (const [index, name] of ['attachment.html', 'attachment.txt'].entries()) {
      const { attempts } = await readOne(testcase(property('attachment', addresses[index] ?? '')))
      expect(attempts[0].attachments).toEqual([{ name, path: `data:${sha256}`, sha256, byteCount: 13 }])
    }
    const report = await parse(testcase(property('attachment', addresses[0] ?? '')), { keepsContents: true })
    expect(Buffer.from(report.attempts[0]?.evidence?.files[0]?.content ?? []).toString()).toBe('Hello, World!')
  })

  it.each([
    ['more than 1 MB', `data:;base64,${'AAAA'.repeat(350_000)}`],
    ['an invalid escape', 'data:,%zz'],
    ['no comma', 'data:text/plain'],
  ])('have no content for a data: address with %s', async (_what, address) => {
    const { attempts } = await readOne(testcase(property('attachment', address)))
    expect(attempts[0].attachments).toMatchObject([{ path: 'data:' }])
    expect(attempts[0].attachments?.[0]?.sha256).toBeUndefined()
  })

  it('are kept as whole content up to 1 MB', async () => {
    const { attempts } = await readOne(testcase(property('attachment', `data:;base64,${'AAAA'.repeat(340_000)}`)))
    expect(attempts[0].attachments).toMatchObject([{ byteCount: 1_020_000 }])
  })

  it('are those of Currents, of their attempt or the last, with their names', async () => {
    const currents = (scope: string, path: string, name = '') =>
      property(`currents.artifact.${scope}.path`, path) +
      property(`currents.artifact.${scope}.type`, 'attachment') +
      (name === '' ? '' : property(`currents.artifact.${scope}.name`, name))
    const content =
      failure +
      '<rerunFailure/>' +
      currents('test', 'config.json', 'Test Configuration') +
      currents('attempt.0', '0.txt', 'First') +
      currents('attempt.0', '0.txt', 'First again') +
      currents('attempt.1', '1.txt') +
      currents('attempt.7', '7.txt')
    expect(await readFiles(testcase(content))).toEqual([
      ['First=0.txt', 'First again=0.txt'],
      ['Test Configuration=config.json', '1.txt', '7.txt'],
    ])
  })

  it.each(['attachment', 'currents.artifact.instance.path'])(
    'are those of the property %s of the suites around it, if the test has failed',
    async (name) => {
      const report = await parse(
        `<testsuite name="a"><properties>${property(name, 'video.mp4')}</properties>${testcase('')}` +
          `<testsuite name="b">${testcase(failure)}${testcase(`<flakyFailure/>`)}</testsuite></testsuite>` +
          `<testsuite name="c">${testcase(failure)}</testsuite>`,
      )
      const tests = await toReportedTests(report, yielder)
      expect(tests.map(({ attempts }) => attempts.at(-1)?.attachments?.map(({ path }) => path))).toEqual([
        undefined,
        ['video.mp4'],
        undefined,
        undefined,
      ])
    },
  )
})

describe('the links of a test in a JUnit report', () => {
  it('are what issue and defect contain, and addresses in attachment', async () => {
    const content = [
      property('issue', 'https://example.com/1'),
      property('defect', 'http://example.com/2'),
      property('defect', ' http://example.com/2 '),
      property('issue', ''),
      property('attachment', 'https://example.com/shot.png'),
      property('issue', 'SHOP-12'),
      property('defect', 'javascript:alert(1)'),
    ]
    const { attempts } = await parse(testcase(content.join('')))
    expect(attempts[0]?.evidence).toMatchObject({
      links: [
        { kind: 'defect', url: 'https://example.com/1' },
        { kind: 'defect', url: 'http://example.com/2' },
        { kind: 'other', url: 'https://example.com/shot.png' },
        // Whoever stores them refuses these, and says so.
        { kind: 'defect', url: 'SHOP-12' },
        { kind: 'defect', url: 'javascript:alert(1)' },
      ],
      files: [],
    })
  })
})

describe('many or long links of a test', () => {
  it('are all there, cut where they are too long to be stored', async () => {
    const many = Array.from({ length: 60 }, (_, index) => property('issue', `https://example.com/${index}`))
    const { attempts } = await parse(testcase([...many, property('issue', `https://${'a'.repeat(3000)}`)].join('')))
    const lengths = attempts[0]?.evidence?.links.map(({ url }) => url.length)
    expect(lengths).toHaveLength(61)
    expect(lengths?.at(-1)).toBe(2049)
  })
})

describe('the steps of a test in a JUnit report', () => {
  it('are in the order of the report, with their status', async () => {
    const content = [
      property('step[passed]', 'opens the shop'),
      property('step2', 'adds a book'),
      '<property name="step">\n  pays\n  by card\n</property>',
      property('step[failure]', 'prints'),
      property('step[error]', 'mails'),
      property('step[skipped]', 'waits'),
      property('step_7[blocked]', 'ships'),
      property('steps', 'no step'),
    ].join('')
    const steps = await readSteps(testcase(content + failure))
    expect(steps?.map(({ title, status }) => [title, status])).toEqual([
      ['opens the shop', 'passed'],
      ['adds a book', null],
      ['pays by card', null],
      ['prints', 'failed'],
      ['mails', 'failed'],
      ['waits', 'skipped'],
      ['ships', 'blocked'],
    ])
  })

  it('have passed without a status if the test has', async () => {
    expect(await readSteps(testcase(property('step', 'pays')))).toEqual([
      { title: 'pays', status: 'passed', depth: 0, elapsedMs: null, message: '' },
    ])
  })

  it('have the text of fields in HTML', async () => {
    const html = `<test-step-subfield name="Step">Opens <strong>the shop</strong> &amp; looks.\n</test-step-subfield>
      <test-step-subfield name="Expected">It is open.</test-step-subfield>`
    const content = `<property name="step[passed]"><![CDATA[${html}]]></property>`
    expect(await readSteps(testcase(content))).toMatchObject([
      { title: 'Opens the shop & looks.', message: 'Expected: It is open.' },
    ])
  })

  it('are read in linear time from many unclosed fields', async () => {
    const html = '<test-step-subfield name="Step">'.repeat(4000)
    const content = `<property name="step"><![CDATA[${html}]]></property>`
    expect(await readSteps(testcase(content.repeat(20)))).toBeUndefined()
  })
})

describe('the output of a failed test in a JUnit report', () => {
  const content =
    testcase('<system-out>passes</system-out>') +
    `<testcase name="fails">${failure}<system-out>\nout &amp; more</system-out><system-err>err</system-err></testcase>`

  it('is a file with the number of the test, equally for one who has its content and one who has not', async () => {
    const read = async (outputFiles: ReaderOptions['outputFiles']) => {
      const { attempts } = await parse(content, { outputFiles })
      return attempts.map(({ evidence }) => evidence?.files.map(({ path, name }) => [path, name]))
    }
    expect(await read('kept')).toEqual([undefined, [['output:2', 'output.txt']]])
    expect(await read('named')).toEqual(await read('kept'))
    expect(await read('none')).toEqual([undefined, undefined])
  })

  it('is cut at 5 MB, never within a character', async () => {
    const { attempts } = await parse(
      `<testcase>${failure}<system-out>x${'é'.repeat(3_000_000)}</system-out></testcase>`,
      { outputFiles: 'kept' },
    )
    const [file] = attempts[0]?.evidence?.files ?? []
    expect(file?.byteCount).toBe(5 * 1_048_576 - 1)
    expect(Buffer.from(file?.content ?? []).toString()).not.toContain('\ufffd')
  })

  it('has out and err, one after the other', async () => {
    const { attempts } = await parse(content, { outputFiles: 'kept' })
    expect(Buffer.from(attempts[1]?.evidence?.files[0]?.content ?? []).toString()).toBe('out & more\nerr')
  })
})
