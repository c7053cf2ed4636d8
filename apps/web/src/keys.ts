/** A place in which keys act. `everywhere` is every page; `list` is every page with a list. */
export type KeyPlace =
  | 'everywhere'
  | 'list'
  | 'cases'
  | 'tests'
  | 'tree'
  | 'steps'
  | 'run'
  | 'execution'
  | 'note'
  | 'versions'
  | 'viewer'

/** A key or sequence of keys, and what it does. */
export interface KeyDefinition {
  readonly places: readonly KeyPlace[]
  /**
   * Bindings of tinykeys; any of them acts, and buttons and the guide show the first. `$mod` is ⌘ on Apple systems,
   * otherwise Ctrl.
   */
  readonly bindings: readonly string[]
  /**
   * Whether the part of the page that has the focus handles it (a tree, the steps, a list). It is listed in the guide, but
   * not registered.
   */
  readonly isLocal?: true
  /** Whether it acts while the focus is in a field, too. */
  readonly actsInFields?: true
  /** Whether it acts again and again while the key is held down. */
  readonly repeats?: true
}

const define = <const K extends Readonly<Record<string, KeyDefinition>>>(keys: K): K => keys

/** Every key of the app. Buttons, tooltips and the key guide read it. */
export const keys = define({
  palette: { places: ['everywhere'], bindings: ['$mod+k'], actsInFields: true },
  search: { places: ['everywhere'], bindings: ['/', 'Shift+/'] },
  guide: { places: ['everywhere'], bindings: ['?', 'Shift+?'] },
  goToOverview: { places: ['everywhere'], bindings: ['g o'] },
  goToCases: { places: ['everywhere'], bindings: ['g c'] },
  goToRuns: { places: ['everywhere'], bindings: ['g r'] },
  goToWork: { places: ['everywhere'], bindings: ['g w'] },
  goToTests: { places: ['everywhere'], bindings: ['g t'] },
  goToInsight: { places: ['everywhere'], bindings: ['g i'] },
  goToMilestones: { places: ['everywhere'], bindings: ['g m'] },
  create: { places: ['everywhere'], bindings: ['c'] },
  undo: { places: ['everywhere'], bindings: ['$mod+z'] },
  close: {
    places: ['everywhere'],
    bindings: ['Escape'],
    isLocal: true,
  },

  next: { places: ['list'], bindings: ['j', 'ArrowDown'], repeats: true },
  previous: { places: ['list'], bindings: ['k', 'ArrowUp'], repeats: true },
  first: { places: ['list'], bindings: ['Home'] },
  last: { places: ['list'], bindings: ['End'] },
  open: { places: ['list'], bindings: ['Enter', 'o'] },
  openInTab: { places: ['list'], bindings: ['$mod+Enter'] },
  select: { places: ['list', 'execution'], bindings: ['x'] },
  extendDown: {
    places: ['list', 'execution'],
    bindings: ['Shift+J', 'Shift+ArrowDown'],
    repeats: true,
  },
  extendUp: {
    places: ['list', 'execution'],
    bindings: ['Shift+K', 'Shift+ArrowUp'],
    repeats: true,
  },
  selectAll: { places: ['list', 'execution'], bindings: ['$mod+a'] },
  filter: { places: ['list'], bindings: ['f'] },
  views: { places: ['list'], bindings: ['Shift+V'] },

  editTitle: { places: ['cases'], bindings: ['e'] },
  move: { places: ['cases'], bindings: ['m'] },
  copyCases: { places: ['cases'], bindings: ['Shift+D'] },
  tags: { places: ['cases'], bindings: ['t'] },
  priorityCritical: { places: ['cases'], bindings: ['1'] },
  priorityHigh: { places: ['cases'], bindings: ['2'] },
  priorityMedium: { places: ['cases'], bindings: ['3'] },
  priorityLow: { places: ['cases'], bindings: ['4'] },
  newFolder: { places: ['cases'], bindings: ['Shift+N'] },
  rename: { places: ['cases'], bindings: ['F2'] },
  delete: { places: ['cases'], bindings: ['Delete'] },
  previousInPanel: { places: ['cases'], bindings: ['['], repeats: true },
  nextInPanel: { places: ['cases'], bindings: [']'], repeats: true },

  link: { places: ['tests'], bindings: ['l'] },
  quarantine: { places: ['tests'], bindings: ['q'] },
  newIssue: { places: ['tests'], bindings: ['i'] },

  walkTree: {
    places: ['tree'],
    bindings: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
    isLocal: true,
  },
  dragInTree: { places: ['tree'], bindings: ['Control+Shift+D'], isLocal: true },

  addStep: { places: ['steps'], bindings: ['Enter'], isLocal: true },
  switchStepField: { places: ['steps'], bindings: ['Tab'], isLocal: true },
  moveStepUp: { places: ['steps'], bindings: ['Alt+ArrowUp'], isLocal: true },
  moveStepDown: { places: ['steps'], bindings: ['Alt+ArrowDown'], isLocal: true },
  duplicateStep: { places: ['steps'], bindings: ['$mod+d'], isLocal: true },
  deleteStep: { places: ['steps'], bindings: ['$mod+Backspace'], isLocal: true },

  execute: { places: ['run'], bindings: ['e'] },
  rerun: { places: ['run'], bindings: ['Shift+E'] },
  assign: { places: ['run'], bindings: ['a'] },
  compareWithBase: { places: ['run'], bindings: ['b'] },

  passed: { places: ['execution'], bindings: ['p'] },
  failed: { places: ['execution'], bindings: ['f'] },
  blocked: { places: ['execution'], bindings: ['b'] },
  retest: { places: ['execution'], bindings: ['r'] },
  passedAndStay: { places: ['execution'], bindings: ['Shift+P'] },
  failedAndStay: { places: ['execution'], bindings: ['Shift+F'] },
  blockedAndStay: { places: ['execution'], bindings: ['Shift+B'] },
  retestAndStay: { places: ['execution'], bindings: ['Shift+R'] },
  notTested: { places: ['execution'], bindings: ['u'] },
  allCombinations: { places: ['execution'], bindings: ['Shift+S'] },
  nextFailed: { places: ['execution'], bindings: ['l'] },
  note: { places: ['execution'], bindings: ['n'] },
  nextResult: { places: ['execution'], bindings: ['j'], repeats: true },
  previousResult: { places: ['execution'], bindings: ['k'], repeats: true },
  nextStep: { places: ['execution'], bindings: ['ArrowDown'], repeats: true },
  previousStep: { places: ['execution'], bindings: ['ArrowUp'], repeats: true },
  goToStep: {
    places: ['execution'],
    bindings: [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) => [`Digit${digit}`, `Numpad${digit}`]),
  },
  passStep: { places: ['execution'], bindings: ['Space'] },
  stepPassed: { places: ['execution'], bindings: ['Shift+Digit1'] },
  stepFailed: { places: ['execution'], bindings: ['Shift+Digit2'] },
  stepBlocked: { places: ['execution'], bindings: ['Shift+Digit3'] },
  stepRetest: { places: ['execution'], bindings: ['Shift+Digit4'] },
  clearStep: { places: ['execution'], bindings: ['Shift+Digit0'] },
  walkStepButtons: {
    places: ['execution'],
    bindings: ['ArrowRight', 'ArrowLeft'],
    isLocal: true,
  },
  actualResult: { places: ['execution'], bindings: ['Enter'], isLocal: true },
  suggested: { places: ['execution'], bindings: ['s'] },
  pauseTimer: { places: ['execution'], bindings: ['.', 'Shift+.'] },

  addFiles: { places: ['execution'], bindings: ['a'] },
  viewFiles: { places: ['execution', 'run'], bindings: ['v'] },
  comment: { places: ['execution'], bindings: ['m'] },

  leaveNote: { places: ['note'], bindings: ['Escape'], isLocal: true },
  saveNote: { places: ['note'], bindings: ['$mod+Enter'], isLocal: true },

  nextFile: { places: ['viewer'], bindings: ['ArrowRight'], isLocal: true, repeats: true },
  previousFile: { places: ['viewer'], bindings: ['ArrowLeft'], isLocal: true, repeats: true },
  zoomIn: { places: ['viewer'], bindings: ['+', 'Shift++', '='], isLocal: true, repeats: true },
  zoomOut: { places: ['viewer'], bindings: ['-'], isLocal: true, repeats: true },
  zoomToFit: { places: ['viewer'], bindings: ['0'], isLocal: true },
  zoomToPixels: { places: ['viewer'], bindings: ['1'], isLocal: true },
  play: { places: ['viewer'], bindings: ['Space'], isLocal: true },
  frameBack: { places: ['viewer'], bindings: [','], isLocal: true, repeats: true },
  frameOn: { places: ['viewer'], bindings: ['.'], isLocal: true, repeats: true },
  secondsBack: { places: ['viewer'], bindings: ['j'], isLocal: true, repeats: true },
  secondsOn: { places: ['viewer'], bindings: ['l'], isLocal: true, repeats: true },
  searchText: { places: ['viewer'], bindings: ['/', 'Shift+/'], isLocal: true },
  olderVersion: { places: ['versions'], bindings: ['ArrowLeft'], isLocal: true },
  newerVersion: { places: ['versions'], bindings: ['ArrowRight'], isLocal: true },
  versionText: { places: ['versions'], bindings: ['d'], isLocal: true },
  download: { places: ['viewer'], bindings: ['d'], isLocal: true },
  copyLink: { places: ['viewer'], bindings: ['c'], isLocal: true },
  fileDetails: { places: ['viewer'], bindings: ['i'], isLocal: true },
})

export type KeyId = keyof typeof keys

/** Places whose keys act at the same time, so that they must not share a binding. */
export const placesOnPages: readonly (readonly KeyPlace[])[] = [
  ['everywhere'],
  ['everywhere', 'list'],
  ['everywhere', 'list', 'cases'],
  ['everywhere', 'list', 'run'],
  ['everywhere', 'list', 'run', 'tests'],
  ['everywhere', 'execution'],
]

/** Returns the keys of a place, for the guide. */
export function listKeys(place: KeyPlace): { id: KeyId; definition: KeyDefinition }[] {
  return (Object.entries(keys) as [KeyId, KeyDefinition][])
    .filter(([, definition]) => definition.places.includes(place))
    .map(([id, definition]) => ({ id, definition }))
}

/**
 * Whether a binding consists of characters without Ctrl, Alt or ⌘. Such keys can be switched off (WCAG 2.1.4), because
 * speech input and typing by mistake trigger them. Named keys such as `Enter` and `F2` are no characters; `Digit1` is the
 * place of a key, whatever the keyboard prints on it.
 */
export function isCharacterBinding(binding: string): boolean {
  return binding.split(' ').some((press) => /^(?:Shift\+)?(?:.|(?:Digit|Numpad)\d)$/u.test(press))
}

/** Formats a binding for `aria-keyshortcuts`: "Control+K", "Shift+P". Sequences have no notation there. */
export function toAriaKeyShortcuts(bindings: readonly string[], isApple: boolean): string | undefined {
  const shortcuts = bindings
    .filter((binding) => !binding.includes(' '))
    .map((binding) => binding.replace('$mod', isApple ? 'Meta' : 'Control'))
  return shortcuts.length === 0 ? undefined : shortcuts.join(' ')
}
