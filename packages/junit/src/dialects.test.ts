import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type AttemptDetail, createJUnitParser, type TestAttempt } from './parse-junit.ts'
import { toReportedTests } from './to-tests.ts'

const fixtures = new URL('../test/fixtures/', import.meta.url)

/**
 * A line for each attempt (status, classname | name, seconds, ids) and for each of its details (kind, type, message,
 * text).
 */
const expected: Record<string, string[]> = {
  'bazel.xml': ['failed  | //shop:cart_test 2s', '- error: exited with error code 1'],
  'codeception.xml': ['passed CartCest | addsItem 3.1s', 'skipped CartCest | ships 0s', '- skipped:'],
  'ctest.xml': [
    'passed cart_adds | cart_adds 0.00512s',
    'failed cart_sums | cart_sums 0.00711s',
    '- failure: Failed',
    'skipped cart_ships | cart_ships 0s',
    '- skipped: Disabled',
  ],
  'cucumber.xml': [
    'passed Cart | adds an item 0.005s',
    'failed Cart | sums up - Examples - #1.2 0.007s',
    '- failure AssertionError: got 29 / AssertionError: got 29',
    'skipped Cart | ships 0s',
    '- skipped:',
  ],
  'cypress.xml': [
    'passed WEB-12 adds an item | Cart WEB-12 adds an item 3.12s',
    'failed WEB-13, WEB-14 sums up | Cart WEB-13, WEB-14 sums up 4.197s',
    "- failure AssertionError: Timed out retrying after 4000ms: expected '<span.total>' to have text '30' / AssertionError: Timed out retrying after 4000ms",
  ],
  'file-did-not-load.xml': [
    'passed shop.CartTest | addsItem 0.01s',
    'suite shop.BrokenTest, line 7: error java.lang.NoClassDefFoundError: shop/Carrier / java.lang.NoClassDefFoundError: shop/Carrier',
    'suite shop.CartTest, line 14: failure: tear-down failed',
  ],
  'go-junit-report.xml': [
    'passed example.com/shop/cart | TestCart 0.001s',
    'failed example.com/shop/cart | TestCart/sums_up 0s',
    '- failure: Failed /     cart_test.go:18: got 29, want 30',
    'skipped example.com/shop/cart | TestShips 0s',
    '- skipped:     cart_test.go:30: no carrier',
    'failed example.com/shop/broken | [build failed] 0s',
    '- error: Build error / broken/b.go:3:1: syntax error: non-declaration statement outside function body',
  ],
  'googletest.xml': [
    'passed Cart | AddsItem 0.001s',
    'failed Cart | SumsUp 0.002s',
    '- failure: cart_test.cc:20 / cart_test.cc:20',
    '- failure: cart_test.cc:21 / cart_test.cc:21',
    'skipped Cart | Ships 0s',
    '- skipped: cart_test.cc:31 / cart_test.cc:31',
  ],
  'gotestsum.xml': [
    'passed example.com/shop/cart | TestCart 0s',
    'failed example.com/shop/cart | TestTotal 0.01s',
    '- failure: Failed / === RUN   TestTotal',
    'skipped example.com/shop/cart | TestShips 0s',
    '- skipped: === RUN   TestShips',
  ],
  'gradle.xml': [
    'passed shop.CartTest | addsItem() 0.011s',
    'failed shop.CartTest | [2] 3, EUR 0.04s',
    '- failure org.opentest4j.AssertionFailedError: org.opentest4j.AssertionFailedError: expected: <30> but was: <29> / org.opentest4j.AssertionFailedError: expected: <30> but was: <29>',
    'skipped shop.CartTest | ships() 0s',
    '- skipped:',
  ],
  'jest-junit.xml': [
    'passed cart adds an item | cart adds an item 0.004s',
    'failed cart [WEB-13] sums up | cart [WEB-13] sums up 0.012s',
    '- failure: / Error: expect(received).toBe(expected) // Object.is equality',
    'skipped cart ships | cart ships 0s',
    '- skipped:',
    'failed Test suite failed to run | src/broken.test.ts 0s',
    "- failure: / SyntaxError: Unexpected token '}'",
  ],
  'gradle-retry.xml': [
    'failed shop.CartTest | WEB-1 sumsUp() 0.04s',
    '- failure org.opentest4j.AssertionFailedError: expected: <30> but was: <29> / org.opentest4j.AssertionFailedError: expected: <30> but was: <29>',
    'passed shop.CartTest | WEB-1 sumsUp() 0.031s',
  ],
  'karma.xml': [
    'passed Chrome_Headless.Cart | Cart adds an item 0.004s',
    'failed Chrome_Headless.Cart | Cart sums up 0.009s',
    '- failure: / Error: Expected 29 to be 30.',
    'skipped Chrome_Headless.Cart | Cart ships 0s',
    '- skipped:',
  ],
  'maven-surefire.xml': [
    'passed shop.CartTest | addsItem 1234.5s',
    'flaky shop.CartTest | sumsUp 0.031s',
    '- flakyFailure org.opentest4j.AssertionFailedError: expected: <30> but was: <29> / org.opentest4j.AssertionFailedError: expected: <30> but was: <29>',
    'failed shop.CartTest | pays 0.02s',
    '- error java.net.ConnectException: refused / java.net.ConnectException: refused',
    '- rerunError java.net.ConnectException: refused again / java.net.ConnectException: refused again',
    'skipped shop.CartTest | ships 0s',
    '- skipped: no carrier',
  ],
  'mocha-xunit.xml': [
    'passed cart | adds an item 0.001s',
    'failed cart | sums up 0.002s',
    '- failure: / expected 29 to equal 30',
    'skipped cart | ships 0s',
    '- skipped:',
  ],
  'node-test.xml': [
    'passed test | adds an item 0.000412s',
    'failed test | sums up 0.001123s',
    '- failure testCodeFailure: 29 !== 30 / [Error [ERR_TEST_FAILURE]: 29 !== 30] {',
    'skipped test | ships 0.000061s',
    '- skipped skipped: true',
    'passed test | stands alone 0.000213s',
  ],
  'node-test-same-titles.xml': [
    'failed test | WEB-1 adds an item 0.001123s',
    '- failure testCodeFailure: 29 !== 30 / [Error [ERR_TEST_FAILURE]: 29 !== 30] {',
    'passed test | WEB-1 adds an item 0.000412s',
  ],
  'nunit-to-junit.xml': [
    'passed Shop.Tests.CartTests | AddsItem 0.0123456s',
    'failed Shop.Tests.CartTests | SumsUp(3,"EUR") 0.02s',
    '- failure:   Expected: 30\r /    at Shop.Tests.CartTests.SumsUp() in C:\\ci\\CartTests.cs:line 18',
    'skipped Shop.Tests.CartTests | Ships 0s',
  ],
  'phpunit.xml': [
    'passed Shop.CartTest | testAddsItem 0.001s',
    'passed Shop.CartTest | testTotal with data set "euro" 0.001s',
    'failed Shop.CartTest | testTotal with data set "yen" 0.001s',
    '- failure PHPUnit\\Framework\\ExpectationFailedException: / Shop\\CartTest::testTotal with data set "yen"',
    'skipped Shop.CartTest | testShips 0.001s',
    '- skipped:',
    'failed Shop\\CartTest | testPays 0.001s',
    '- error Error: / Error: Call to undefined method',
  ],
  'phpunit-two-suites.xml': [
    'passed Shop.CartTest | test_web_1_total 0.001s',
    'failed Shop.CartTest | test_web_1_total 0.002s',
    '- failure PHPUnit\\Framework\\ExpectationFailedException: / Shop\\CartTest::test_web_1_total',
  ],
  'playwright-two-projects.xml': [
    'passed cart.spec.ts | cart › WEB-1 sums up 1.204s',
    'failed cart.spec.ts | cart › WEB-1 sums up 1.5s',
    '- failure FAILURE: cart.spec.ts:3:5 WEB-1 sums up /   [firefox] › cart.spec.ts:3:5 › cart › WEB-1 sums up',
  ],
  'playwright.xml': [
    'passed cart.spec.ts | cart › adds an item 1.204s WEB-12',
    'flaky cart.spec.ts | cart › sums up after a retry 2.5s',
    '- flakyFailure expect.toBe: expect(received).toBe(expected) // Object.is equality / Error: expect(received).toBe(expected)',
    'failed cart.spec.ts | cart › pays 3s',
    '- rerunFailure expect.toBeVisible: Timed out / first try',
    '- failure FAILURE: cart.spec.ts:30:5 pays /   [chromium] › cart.spec.ts:30:5 › cart › pays',
    'skipped cart.spec.ts | cart › ships 0s',
    '- skipped:',
  ],
  'prefixed.xml': [
    'passed cart | adds an item 0.1s',
    'failed cart | sums up 0.2s',
    '- failure: got 29',
    'skipped cart | ships null',
    '- skipped:',
  ],
  'pytest.xml': [
    'passed tests.test_cart.TestCart | test_web_12_adds_item 0.002s WEB-12',
    'failed tests.test_cart.TestCart | test_total[3-eur] 0.11s',
    '- failure: AssertionError: assert 29 == 30 / self = <tests.test_cart.TestCart object at 0x7f>',
    'failed tests.test_cart | test_db 0.05s',
    '- error: failed on setup with "ConnectionError" / conftest.py:9: ConnectionError',
    'skipped tests.test_cart | test_later 0s',
    '- skipped pytest.skip: not yet / tests/test_cart.py:30: not yet',
    'skipped tests.test_cart | test_known_bug 0.004s',
    '- skipped pytest.xfail: bug 7',
    'passed  | tests.test_empty 0s WEB-40 WEB-41',
  ],
  'pytest-rerun.xml': [
    'failed tests.test_cart.TestCart | test_total 0.11s',
    '- failure: assert 29 == 30 / tests/test_cart.py:20: AssertionError',
    'passed tests.test_cart.TestCart | test_total 0.1s',
  ],
  'rspec.xml': [
    'passed spec.cart_spec | Cart adds an item 0.000512s',
    'failed spec.cart_spec | Cart sums up 0.012s',
    '- failure RSpec::Expectations::ExpectationNotMetError: expected: 30 / Failure/Error: expect(cart.total).to eq(30)',
    'skipped spec.cart_spec | Cart ships 0.000026s',
    '- skipped:',
  ],
  'saucelabs-two-browsers.xml': [
    'failed Verify the total | Cart Verify the total (WEB-1) 0.75s',
    '- failure element not found: Fail due to... / stacktrace...',
    'passed Verify the total | Cart Verify the total (WEB-1) 0.945s',
  ],
  'trcli.xml': [
    'passed shop.cart | adds an item 159s WEB-12 WEB-13 WEB-14',
    'passed shop.cart | sums up null WEB-20 WEB-21 WEB-22 WEB-23',
    'passed shop.cart | ships null',
  ],
  'vitest.xml': [
    'passed src/cart.test.ts | cart > adds an item 0.0012345s',
    'failed src/cart.test.ts | cart > sums up 0.0041s',
    '- failure AssertionError: expected 29 to be 30 // Object.is equality / AssertionError: expected 29 to be 30 // Object.is equality',
    'skipped src/cart.test.ts | cart > ships 0s',
    '- skipped:',
  ],
  'xunit-net.xml': [
    'passed Shop.Tests.CartTests | AddsItem 0.0051s',
    'failed Shop.Tests.CartTests | SumsUp(count: 3) 0.0102s',
    '- failure failure: Assert.Equal() Failure: Values differ\r /    at Shop.Tests.CartTests.SumsUp(Int32 count) in C:\\ci\\CartTests.cs:line 18',
    'skipped Shop.Tests.CartTests | Ships 0s',
    '- skipped: no carrier',
  ],
}

function firstLine(text: string): string {
  return text.replace(/^\n+/, '').split('\n')[0] ?? ''
}

function describeDetail({ kind, type, message, text }: AttemptDetail): string {
  const parts = [type === '' ? `${kind}:` : `${kind} ${type}:`]
  if (message !== '') parts.push(firstLine(message))
  if (text !== '') parts.push('/', firstLine(text))
  return parts.join(' ')
}

function describeAttempt({
  status,
  isFlaky,
  classname,
  name,
  elapsedSeconds,
  caseIds,
  details,
}: TestAttempt): string[] {
  const seconds = elapsedSeconds === null ? 'null' : `${elapsedSeconds}s`
  const start = [isFlaky ? 'flaky' : status, classname, '|', name, seconds, ...caseIds]
  return [start.join(' '), ...details.map((detail) => `- ${describeDetail(detail)}`)]
}

describe('toReportedTests', () => {
  const yielder = { shouldYield: () => false, yield: () => Promise.resolve() }

  it.each([
    ['gradle-retry.xml', [2]],
    ['pytest-rerun.xml', [1, 1]],
    ['maven-surefire.xml', [1, 2, 2, 1]],
    ['node-test-same-titles.xml', [1, 1]],
    ['playwright-two-projects.xml', [1, 1]],
  ])('returns the tests of the dialect in %s with %j attempts', async (file, counts) => {
    const parser = createJUnitParser()
    parser.write(readFileSync(new URL(file, fixtures)))
    const tests = await toReportedTests(parser.end(), yielder)
    expect(tests.map(({ attempts }) => attempts.length)).toEqual(counts)
  })
})

describe('the JUnit parser', () => {
  it('is tested with every fixture', () => {
    expect(readdirSync(fixtures).toSorted()).toEqual(Object.keys(expected).toSorted())
  })

  it.each(Object.entries(expected))('returns the attempts and suite errors of the dialect in %s', (file, lines) => {
    const parser = createJUnitParser()
    parser.write(readFileSync(new URL(file, fixtures)))
    const { attempts, suiteErrors } = parser.end()
    const suites = suiteErrors.map((error) => `suite ${error.suite}, line ${error.line}: ${describeDetail(error)}`)
    expect([...attempts.flatMap(describeAttempt), ...suites]).toEqual(lines)
  })
})
