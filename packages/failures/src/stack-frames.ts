/** A place in a stack trace. */
export interface StackFrame {
  /** A class with its package, or the path of a file. */
  place: string
  isFile: boolean
  /** '' when unknown. */
  function: string
}

const POSITION = /(?::\d+){1,2}/.source
/** Of a stack trace, and of no sentence. */
const FILE = /(?:[A-Za-z]:)?[^\s:()'"`]{1,300}/.source

interface FrameFormat {
  pattern: RegExp
  /** The groups are `class` or `file`, and `function`. */
  isFile: boolean
}

/** The formats of frames, each a whole line without the white space around it. The first one that matches is taken. */
const FORMATS: readonly FrameFormat[] = [
  // Java, Kotlin, Scala: at com.example.Cart.add(Cart.java:12), at java.base/java.util.List.get(Unknown Source)
  {
    pattern:
      /^at (?:[\w.@-]{0,100}\/{1,2}){0,2}(?<class>[\w$.]{1,300})\.(?<function>[\w$<>-]{1,200})\((?:Native Method|Unknown Source|[\w$.-]{1,100}\.(?:java|kt|kts|scala|groovy|clj)(?::\d+)?)\)/,
    isFile: false,
  },
  // .NET: at Shop.Cart.Add(Int32 count) in C:\shop\Cart.cs:line 12
  {
    pattern:
      /^at (?<class>[\w.`+<>]{1,300})\.(?<function>[\w`<>.]{1,200})(?:\[[^\]]{0,100}\])?\((?!(?:file|node|https?|webpack)?:?\/)[^()/]{0,300}\)(?: in .{1,300}:line \d+)?$/,
    isFile: false,
  },
  // JavaScript of V8: at async Cart.add (/shop/cart.ts:41:9), at /shop/cart.ts:41:9; Vitest: ❯ add src/cart.ts:41:9
  {
    pattern: new RegExp(
      `^(?:at|❯) (?:async )?(?<function>(?:new )?[^()\\s:/\\\\]{1,200})(?: \\[as [^\\]]{1,100}\\])? \\(?(?<file>(?:[a-z][a-z+-]{1,20}:/{0,3})?${FILE})${POSITION}\\)?$`,
    ),
    isFile: true,
  },
  {
    pattern: new RegExp(`^(?:at|❯) (?:async )?\\(?(?<file>(?:[a-z][a-z+-]{1,20}:/{0,3})?${FILE})${POSITION}\\)?$`),
    isFile: true,
  },
  // JavaScript of SpiderMonkey and JavaScriptCore: add@http://localhost/cart.js:41:9
  {
    pattern: new RegExp(
      `^(?<function>[\\w$.<>/*]{0,200})@(?<file>[a-z]{1,20}:/{2,3}${FILE}(?::\\d+)?${FILE})${POSITION}$`,
    ),
    isFile: true,
  },
  // Python: File "/shop/cart.py", line 12, in add
  { pattern: /^File "(?<file>[^"]{1,300})", line \d+(?:, in (?<function>\S{1,200}))?/, isFile: true },
  // pytest: shop/cart.py:12: TypeError, shop/cart.py:12: in add
  { pattern: /^(?<file>[^\s:]{1,300}\.py):\d+:(?: in (?<function>\S{1,200})| [\w.]{0,100})?$/, isFile: true },
  // Ruby: cart.rb:12:in 'Cart#add', # ./cart.rb:12:in `block in add'
  {
    pattern:
      /^(?:# )?(?:from )?(?<file>[^\s:]{1,300}\.rb):\d+(?::in [`'](?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )?(?<function>[^'`]{1,200})')?/,
    isFile: true,
  },
  // PHP: #0 /shop/Cart.php(12): Cart->add(), /shop/Cart.php:12
  { pattern: /^#\d+ (?<file>[^\s():]{1,300}\.php)\(\d+\): (?<function>[^\s(]{1,200})/, isFile: true },
  { pattern: /^(?<file>[^\s():]{1,300}\.php):\d+$/, isFile: true },
  // Rust: 3: shop::cart::add, after which the file follows
  {
    pattern:
      /^\d+: (?:0x[0-9a-f]+ - )?(?<class>(?:<?[\w<>]{1,100}>?::){1,12})(?<function>[\w{}]{1,100})(?:::h[0-9a-f]{16})?$/,
    isFile: false,
  },
  // Go: shop/cart.(*Cart).Add(0xc000012345, 0x2), main.main()
  {
    pattern:
      /^(?<class>[\w./~-]{1,300}(?:\.\(\*?[\w[\]]{1,100}\))?)\.(?<function>[\w.]{1,200})\((?:0x[0-9a-f]|\.\.\.|\{|(?<=^(?:main\.|[\w.~-]+\/).{0,500})\)$)/,
    isFile: false,
  },
  // Swift, C and C++: 3 Shop 0x000000010 Cart.add() + 12, in the file /shop/cart.cpp:12
  { pattern: /^\d+\s+(?<class>[\w.-]{1,100})\s+0x[0-9a-f]{4,16} (?<function>[^+]{1,200}) \+ \d+/, isFile: false },
  { pattern: /^(?<file>[^\s:()]{1,300}\.(?:swift|c|cc|cpp|h|hpp|m|mm)):\d+(?::\d+)?:?$/, isFile: true },
]

/** No frame is longer. */
const MAX_LINE = 1000

/** Parses a line of a stack trace; null for any other. */
export function parseStackFrame(line: string): StackFrame | null {
  if (line.length > MAX_LINE) return null
  const trimmed = line.trim()
  for (const { pattern, isFile } of FORMATS) {
    const groups = pattern.exec(trimmed)?.groups
    if (groups === undefined) continue
    const place = (isFile ? groups['file'] : groups['class']) ?? ''
    return { place: place.replace(/::$/, ''), isFile, function: cleanFunction(groups['function'] ?? '') }
  }
  return null
}

/** Functions without a name are `<anonymous>`, `<lambda>`, `func1`, `{closure}`, or none. */
const cleanFunction = (name: string): string =>
  /^(?:<anonymous>|anonymous|<lambda>|<module>|\{closure.*|func\d+|eval|Object\.<anonymous>)$/.test(name) ? '' : name
