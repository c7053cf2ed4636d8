/* Failures as frameworks report them, for tests: each with what a reader finds in it. */

import type { FailedTest, FailureText } from './read-failure.ts'

export interface SampleFailure extends FailureText {
  framework: string
  test: FailedTest
  kind: string
  /** The message without what differs from run to run. */
  normalized: string
  frame: string
}

const cart = { suite: 'cart.spec.ts', name: 'adds a line', file: 'src/cart.spec.ts' }
const javaCart = { suite: 'com.example.CartTest', name: 'addsALine', file: '' }

export const sampleFailures: readonly SampleFailure[] = [
  {
    framework: 'Vitest',
    test: cart,
    message: "Cannot read properties of undefined (reading 'total')",
    details: `TypeError: Cannot read properties of undefined (reading 'total')
 ❯ addLine src/cart.ts:41:9
 ❯ src/cart.spec.ts:12:5
 ❯ node_modules/vitest/dist/runner.js:100:3`,
    kind: 'TypeError',
    normalized: "Cannot read properties of undefined (reading 'total')",
    frame: 'cart.ts.addLine',
  },
  {
    framework: 'Jest',
    test: cart,
    message: '\u001B[31mError: connect ECONNREFUSED 127.0.0.1:5432\u001B[39m',
    details: `Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)
    at async Pool.connect (/srv/ci-81/node_modules/pg-pool/index.js:45:11)
    at async Shop.open (/srv/ci-81/src/shop.ts:7:3)`,
    kind: 'Error',
    normalized: 'connect ECONNREFUSED <addr>',
    frame: 'shop.ts.Shop.open',
  },
  {
    framework: 'Node.js',
    test: cart,
    message: '',
    details: `TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined
    at Object.join (node:path:1171:7)
    at new Store (file:///home/ci/shop/lib/store.mjs:3:20)`,
    kind: 'TypeError [ERR_INVALID_ARG_TYPE]',
    normalized: 'The "path" argument must be of type string. Received undefined',
    frame: 'store.mjs.new Store',
  },
  {
    framework: 'Playwright',
    test: { suite: 'pay.spec.ts', name: 'pays by card', file: 'pay.spec.ts' },
    message: 'pay.spec.ts:6:7 pays by card',
    details: `  [chromium] › pay.spec.ts:6:7 › pays by card ─────

    Error: expect(received).toBe(expected) // Object.is equality

    Expected: 200
    Received: 404

      10 |   const response = await pay(request)
    > 11 |   expect(response.status()).toBe(200)
         |                             ^
        at /home/ci/pay.spec.ts:11:29`,
    kind: 'Error',
    normalized: 'expect(received).toBe(expected) // Object.is equality Expected: <n> Received: <n>',
    frame: '',
  },
  {
    framework: 'JUnit',
    test: javaCart,
    message: 'java.lang.IllegalStateException: Cart 8f14e45f-ceea-467f-a1d2-0123456789ab is closed',
    details: `java.lang.IllegalStateException: Cart 8f14e45f-ceea-467f-a1d2-0123456789ab is closed
	at java.base/java.util.Objects.requireNonNull(Objects.java:235)
	at com.example.Cart.add(Cart.java:41)
	at com.example.CartTest.addsALine(CartTest.java:12)
Caused by: java.lang.NullPointerException
	at com.example.Other.call(Other.java:1)`,
    kind: 'IllegalStateException',
    normalized: 'Cart <uuid> is closed',
    frame: 'com.example.Cart.add',
  },
  {
    framework: 'pytest',
    test: { suite: 'tests.test_cart', name: 'test_total', file: 'tests/test_cart.py' },
    message: "KeyError: 'price'",
    details: `    def test_total():
>       assert total([{}]) == 0

tests/test_cart.py:5:
_ _ _ _ _ _ _ _ _

    def total(lines):
>       return sum(line['price'] for line in lines)
E       KeyError: 'price'

shop/cart.py:9: KeyError`,
    kind: 'KeyError',
    normalized: "'price'",
    frame: 'cart.py',
  },
  {
    framework: 'pytest, of an assertion',
    test: { suite: 'tests.test_cart', name: 'test_total', file: 'tests/test_cart.py' },
    message: '',
    details: `    def test_total():
>       check(total([1]))

tests/test_cart.py:5:
_ _ _ _ _ _ _ _ _
shop/checks.py:3: in check
    assert value == 2
E   assert 1 == 2

shop/checks.py:3: AssertionError`,
    kind: 'AssertionError',
    normalized: 'assert <n> == <n>',
    frame: '',
  },
  {
    framework: 'pytest, of a library',
    test: { suite: 'tests.test_cart', name: 'test_total', file: 'tests/test_cart.py' },
    message: 'ValueError: no such column',
    details: `shop/cart.py:9: in total
    return frame.sum()
.venv/lib/site-packages/pandas/frame.py:99: ValueError`,
    kind: 'ValueError',
    normalized: 'no such column',
    frame: 'cart.py.total',
  },
  {
    framework: 'Cucumber for Ruby',
    test: { suite: 'Cart', name: 'Adding a line', file: '' },
    message: '',
    details: `expected: "Nope"
     got: "TGIF"
 (RSpec::Expectations::ExpectationNotMetError)
./features/step_definitions/steps.rb:29:in 'nil'`,
    kind: 'ExpectationNotMetError',
    normalized: 'expected: "Nope" got: "TGIF" (RSpec::Expectations::ExpectationNotMetError)',
    frame: '',
  },
  {
    framework: 'Selenium',
    test: javaCart,
    message: '',
    details: `org.openqa.selenium.NoSuchElementException: no such element
\tat org.openqa.selenium.remote.RemoteWebDriver.execute(RemoteWebDriver.java:552)
\tat com.example.CartPage.open(CartPage.java:12)`,
    kind: 'NoSuchElementException',
    normalized: 'no such element',
    frame: 'com.example.CartPage.open',
  },
  {
    framework: 'unittest',
    test: { suite: 'tests.test_cart.CartTest', name: 'test_total', file: '' },
    message: '',
    details: `Traceback (most recent call last):
  File "/srv/shop/tests/test_cart.py", line 5, in test_total
    total(3)
  File "/srv/shop/shop/cart.py", line 9, in total
    return lines(3)
  File "/srv/shop/shop/lines.py", line 2, in lines
    raise ValueError('3 lines took 1.5 s')
ValueError: 3 lines took 1.5 s`,
    kind: 'ValueError',
    normalized: '<n> lines took <dur>',
    frame: 'lines.py.lines',
  },
  {
    framework: 'NUnit',
    test: { suite: 'Shop.Tests.CartTests', name: 'Adds', file: '' },
    message: 'System.ArgumentException : Price must not be -3',
    details: `   at Shop.Cart.Add(Int32 price) in C:\\ci\\7\\Shop\\Cart.cs:line 41
   at Shop.Tests.CartTests.Adds() in C:\\ci\\7\\Shop.Tests\\CartTests.cs:line 12`,
    kind: 'ArgumentException',
    normalized: 'Price must not be <n>',
    frame: 'Shop.Cart.Add',
  },
  {
    framework: 'Go',
    test: { suite: 'example.com/shop/cart', name: 'TestAdd', file: '' },
    message: 'Failed',
    details: `panic: runtime error: index out of range [5] with length 3

goroutine 18 [running]:
example.com/shop/cart.(*Cart).Add(0xc0000b2000, 0x5)
	/srv/shop/cart/cart.go:41 +0x1d
example.com/shop/cart.TestAdd(0xc000082820)
	/srv/shop/cart/cart_test.go:12 +0x3b`,
    kind: 'panic',
    normalized: 'runtime error: index out of range [<n>] with length <n>',
    frame: 'example.com/shop/cart.(*Cart).Add',
  },
  {
    framework: 'Rust',
    test: { suite: 'shop::cart::tests', name: 'adds', file: '' },
    message: '',
    details: `thread 'cart::tests::adds' panicked at src/cart.rs:41:9:
attempt to subtract with overflow
stack backtrace:
   0: core::panicking::panic_fmt
   1: shop::cart::add
             at ./src/cart.rs:41:9`,
    kind: 'panic',
    normalized: '<path>: attempt to subtract with overflow',
    frame: 'shop::cart.add',
  },
  {
    framework: 'RSpec',
    test: { suite: 'spec.cart_spec', name: 'Cart adds', file: './spec/cart_spec.rb' },
    message: "NoMethodError: undefined method `price' for nil",
    details: `Failure/Error: lines.sum(&:price)
# ./lib/cart.rb:41:in \`total'
# ./spec/cart_spec.rb:12:in \`block (2 levels) in <top (required)>'`,
    kind: 'NoMethodError',
    normalized: "undefined method `price' for nil Failure/Error: lines.sum(&:price)",
    frame: 'cart.rb.total',
  },
  {
    framework: 'PHPUnit',
    test: { suite: 'Tests\\CartTest', name: 'testAdd', file: 'tests/CartTest.php' },
    message: 'Error: Call to undefined method Cart::add()',
    details: `Error: Call to undefined method Cart::add()

/srv/shop/src/Shop.php:41
/srv/shop/tests/CartTest.php:12`,
    kind: 'Error',
    normalized: 'Call to undefined method Cart::add()',
    frame: 'Shop.php',
  },
  {
    framework: 'Selenide',
    test: javaCart,
    message: 'com.codeborne.selenide.ex.ElementNotFound: Element not found {#pay}',
    details: '',
    kind: 'ElementNotFound',
    normalized: 'Element not found {#pay}',
    frame: '',
  },
]
