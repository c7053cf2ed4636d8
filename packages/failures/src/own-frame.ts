import { parseStackFrame, type StackFrame } from './stack-frames.ts'

/** Where the test is: its own file or class is no place of a failure. */
export interface TestPlace {
  /** A file, a class, or the titles of the blocks around the test. */
  readonly suite: string
  /** '' when unknown. */
  readonly file: string
}

/** Beginnings of the classes, packages and modules of languages and test frameworks. */
const LIBRARY_CLASS =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.codehaus\.groovy|junit|org\.(?:junit|testng|hamcrest|assertj|opentest4j|gradle|apache\.maven|openqa\.selenium)|io\.appium|OpenQA\.Selenium|System|Microsoft|Xunit|NUnit|MbUnit|testing|runtime|std|core|alloc)(?:$|[./:])/
const LIBRARY_FILE =
  /(?:^|[/\\])(?:node_modules|__cypress|site-packages|dist-packages|gems|vendor|lib[/\\]python[\d.]*|rustc)[/\\]|^node:|^internal\/|<anonymous>|^native$|[/\\]Python\d+[/\\]lib[/\\]/i

/**
 * Finds the frame of a failure that is neither of a library nor of the test, and nearest to where it happened: the first one, or
 * the last one of Python, which begins with the outermost.
 * @returns `class or file.function`, without a line; '' without one
 */
export function findOwnFrame(lines: readonly string[], test: TestPlace): string {
  const isOfTest = createTestCheck(test)
  let found: StackFrame | null = null
  for (const line of lines) {
    const frame = parseStackFrame(line)
    if (frame === null || isOfLibrary(frame) || isOfTest(frame)) continue
    found = frame
    if (!frame.place.endsWith('.py')) break
  }
  return found === null ? '' : formatFrame(found)
}

const isOfLibrary = ({ place, isFile }: StackFrame): boolean =>
  isFile ? LIBRARY_FILE.test(place) : LIBRARY_CLASS.test(place)

const getBaseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** The name of a class without its package, and without classes inside of it. */
const getClassName = (place: string): string => {
  const last = place.slice(Math.max(place.lastIndexOf('.'), place.lastIndexOf('/'), place.lastIndexOf(':')) + 1)
  return last.split('$', 1)[0] ?? last
}

function createTestCheck({ suite, file }: TestPlace): (frame: StackFrame) => boolean {
  const ownFile = getBaseName(file)
  const ownClass = getClassName(suite)
  return ({ place, isFile }) => {
    const name = isFile ? getBaseName(place) : getClassName(place)
    if (isFile ? name === ownFile : name === ownClass || place === suite) return true
    return isTestName(isFile ? name.replace(/\.\w{1,5}$/, '') : name)
  }
}

/** Whether a name begins or ends with `Test`, `Spec` or `IT` as a word: `CartTest`, `cart.spec`, `test_cart`, `cart_test`. */
export function isTestName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
  return [words[0], words.at(-1)].some(
    (word) => (word !== undefined && /^(?:tests?|specs?)$/i.test(word)) || word === 'IT',
  )
}

function formatFrame({ place, isFile, function: name }: StackFrame): string {
  const shown = isFile ? getBaseName(place.split(/[?#]/, 1)[0] ?? place) : place
  return name === '' ? shown : `${shown}.${name}`
}
