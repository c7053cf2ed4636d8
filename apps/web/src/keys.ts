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
  /** What it does, for the key guide, buttons and tooltips. */
  readonly words: string
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
  palette: { places: ['everywhere'], bindings: ['$mod+k'], words: 'Search everything', actsInFields: true },
  search: { places: ['everywhere'], bindings: ['/', 'Shift+/'], words: 'Search this page' },
  guide: { places: ['everywhere'], bindings: ['?', 'Shift+?'], words: 'Keys of this page' },
  goToOverview: { places: ['everywhere'], bindings: ['g o'], words: 'Go to the overview' },
  goToCases: { places: ['everywhere'], bindings: ['g c'], words: 'Go to cases' },
  goToRuns: { places: ['everywhere'], bindings: ['g r'], words: 'Go to runs' },
  goToWork: { places: ['everywhere'], bindings: ['g w'], words: 'Go to my work' },
  goToTests: { places: ['everywhere'], bindings: ['g t'], words: 'Go to tests' },
  goToMilestones: { places: ['everywhere'], bindings: ['g m'], words: 'Go to milestones' },
  create: { places: ['everywhere'], bindings: ['c'], words: 'New item of this page' },
  undo: { places: ['everywhere'], bindings: ['$mod+z'], words: 'Undo' },
  close: {
    places: ['everywhere'],
    bindings: ['Escape'],
    words: 'Close menu, dialog, panel or selection',
    isLocal: true,
  },

  next: { places: ['list'], bindings: ['j', 'ArrowDown'], words: 'Next', repeats: true },
  previous: { places: ['list'], bindings: ['k', 'ArrowUp'], words: 'Previous', repeats: true },
  first: { places: ['list'], bindings: ['Home'], words: 'First' },
  last: { places: ['list'], bindings: ['End'], words: 'Last' },
  open: { places: ['list'], bindings: ['Enter', 'o'], words: 'Open' },
  openInTab: { places: ['list'], bindings: ['$mod+Enter'], words: 'Open in a new tab' },
  select: { places: ['list', 'execution'], bindings: ['x'], words: 'Select' },
  extendDown: {
    places: ['list', 'execution'],
    bindings: ['Shift+J', 'Shift+ArrowDown'],
    words: 'Extend the selection down',
    repeats: true,
  },
  extendUp: {
    places: ['list', 'execution'],
    bindings: ['Shift+K', 'Shift+ArrowUp'],
    words: 'Extend the selection up',
    repeats: true,
  },
  selectAll: { places: ['list', 'execution'], bindings: ['$mod+a'], words: 'Select everything the filter shows' },
  filter: { places: ['list'], bindings: ['f'], words: 'Filter' },
  views: { places: ['list'], bindings: ['Shift+V'], words: 'Open or keep a view' },

  editTitle: { places: ['cases'], bindings: ['e'], words: 'Edit the title' },
  move: { places: ['cases'], bindings: ['m'], words: 'Move to a folder' },
  tags: { places: ['cases'], bindings: ['t'], words: 'Change tags' },
  priorityCritical: { places: ['cases'], bindings: ['1'], words: 'Priority critical' },
  priorityHigh: { places: ['cases'], bindings: ['2'], words: 'Priority high' },
  priorityMedium: { places: ['cases'], bindings: ['3'], words: 'Priority medium' },
  priorityLow: { places: ['cases'], bindings: ['4'], words: 'Priority low' },
  newFolder: { places: ['cases'], bindings: ['Shift+N'], words: 'New folder' },
  rename: { places: ['cases'], bindings: ['F2'], words: 'Rename' },
  delete: { places: ['cases'], bindings: ['Delete'], words: 'Delete' },
  previousInPanel: { places: ['cases'], bindings: ['['], words: 'Previous test case in the panel', repeats: true },
  nextInPanel: { places: ['cases'], bindings: [']'], words: 'Next test case in the panel', repeats: true },

  link: { places: ['tests'], bindings: ['l'], words: 'Link to a test case' },

  walkTree: {
    places: ['tree'],
    bindings: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
    words: 'Move, close and open',
    isLocal: true,
  },
  dragInTree: { places: ['tree'], bindings: ['Control+Shift+D'], words: 'Drag with the arrow keys', isLocal: true },

  addStep: { places: ['steps'], bindings: ['Enter'], words: 'New step below (in Expected)', isLocal: true },
  switchStepField: { places: ['steps'], bindings: ['Tab'], words: 'Action or expected result', isLocal: true },
  moveStepUp: { places: ['steps'], bindings: ['Alt+ArrowUp'], words: 'Move the step up', isLocal: true },
  moveStepDown: { places: ['steps'], bindings: ['Alt+ArrowDown'], words: 'Move the step down', isLocal: true },
  duplicateStep: { places: ['steps'], bindings: ['$mod+d'], words: 'Duplicate the step', isLocal: true },
  deleteStep: { places: ['steps'], bindings: ['$mod+Backspace'], words: 'Delete the step', isLocal: true },

  execute: { places: ['run'], bindings: ['e'], words: 'Execute' },
  rerun: { places: ['run'], bindings: ['Shift+E'], words: 'Run again what failed' },
  assign: { places: ['run'], bindings: ['a'], words: 'Assign to people' },

  passed: { places: ['execution'], bindings: ['p'], words: 'Passed, and go on' },
  failed: { places: ['execution'], bindings: ['f'], words: 'Failed, and go on' },
  blocked: { places: ['execution'], bindings: ['b'], words: 'Blocked, and go on' },
  retest: { places: ['execution'], bindings: ['r'], words: 'Retest, and go on' },
  passedAndStay: { places: ['execution'], bindings: ['Shift+P'], words: 'Passed, and stay' },
  failedAndStay: { places: ['execution'], bindings: ['Shift+F'], words: 'Failed, and stay' },
  blockedAndStay: { places: ['execution'], bindings: ['Shift+B'], words: 'Blocked, and stay' },
  retestAndStay: { places: ['execution'], bindings: ['Shift+R'], words: 'Retest, and stay' },
  notTested: { places: ['execution'], bindings: ['u'], words: 'Back to not tested' },
  allCombinations: { places: ['execution'], bindings: ['Shift+S'], words: 'Set all combinations of the test case' },
  nextFailed: { places: ['execution'], bindings: ['l'], words: 'Next failed' },
  note: { places: ['execution'], bindings: ['n'], words: 'Write the note' },
  nextResult: { places: ['execution'], bindings: ['j'], words: 'Next test case', repeats: true },
  previousResult: { places: ['execution'], bindings: ['k'], words: 'Previous test case', repeats: true },
  nextStep: { places: ['execution'], bindings: ['ArrowDown'], words: 'Next step', repeats: true },
  previousStep: { places: ['execution'], bindings: ['ArrowUp'], words: 'Previous step', repeats: true },
  goToStep: {
    places: ['execution'],
    bindings: [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) => [`Digit${digit}`, `Numpad${digit}`]),
    words: 'Go to a step, by its number up to 9',
  },
  passStep: { places: ['execution'], bindings: ['Space'], words: 'Step passed, or no longer' },
  stepPassed: { places: ['execution'], bindings: ['Shift+Digit1'], words: 'Step passed' },
  stepFailed: { places: ['execution'], bindings: ['Shift+Digit2'], words: 'Step failed' },
  stepBlocked: { places: ['execution'], bindings: ['Shift+Digit3'], words: 'Step blocked' },
  stepRetest: { places: ['execution'], bindings: ['Shift+Digit4'], words: 'Step to be tested again' },
  clearStep: { places: ['execution'], bindings: ['Shift+Digit0'], words: 'No result of the step' },
  walkStepButtons: {
    places: ['execution'],
    bindings: ['ArrowRight', 'ArrowLeft'],
    words: 'Buttons of the step',
    isLocal: true,
  },
  actualResult: { places: ['execution'], bindings: ['Enter'], words: 'Actual result of the step', isLocal: true },
  suggested: { places: ['execution'], bindings: ['s'], words: 'The status that the steps suggest, and go on' },
  pauseTimer: { places: ['execution'], bindings: ['.', 'Shift+.'], words: 'Pause or resume the timer' },

  addFiles: { places: ['execution'], bindings: ['a'], words: 'Add files' },
  viewFiles: { places: ['execution', 'run'], bindings: ['v'], words: 'View the files' },
  comment: { places: ['execution'], bindings: ['m'], words: 'Write a comment' },

  leaveNote: { places: ['note'], bindings: ['Escape'], words: 'Leave the note; it is kept', isLocal: true },
  saveNote: { places: ['note'], bindings: ['$mod+Enter'], words: 'Save and go on', isLocal: true },

  nextFile: { places: ['viewer'], bindings: ['ArrowRight'], words: 'Next file', isLocal: true, repeats: true },
  previousFile: { places: ['viewer'], bindings: ['ArrowLeft'], words: 'Previous file', isLocal: true, repeats: true },
  zoomIn: { places: ['viewer'], bindings: ['+', 'Shift++', '='], words: 'Larger', isLocal: true, repeats: true },
  zoomOut: { places: ['viewer'], bindings: ['-'], words: 'Smaller', isLocal: true, repeats: true },
  zoomToFit: { places: ['viewer'], bindings: ['0'], words: 'Fit the picture into the window', isLocal: true },
  zoomToPixels: { places: ['viewer'], bindings: ['1'], words: 'Show the picture at 100 %', isLocal: true },
  play: { places: ['viewer'], bindings: ['Space'], words: 'Play or pause', isLocal: true },
  frameBack: { places: ['viewer'], bindings: [','], words: 'One frame back', isLocal: true, repeats: true },
  frameOn: { places: ['viewer'], bindings: ['.'], words: 'One frame on', isLocal: true, repeats: true },
  secondsBack: { places: ['viewer'], bindings: ['j'], words: 'Ten seconds back', isLocal: true, repeats: true },
  secondsOn: { places: ['viewer'], bindings: ['l'], words: 'Ten seconds on', isLocal: true, repeats: true },
  searchText: { places: ['viewer'], bindings: ['/', 'Shift+/'], words: 'Search the text', isLocal: true },
  olderVersion: { places: ['versions'], bindings: ['ArrowLeft'], words: 'Older version', isLocal: true },
  newerVersion: { places: ['versions'], bindings: ['ArrowRight'], words: 'Newer version', isLocal: true },
  versionText: { places: ['versions'], bindings: ['d'], words: 'Changes, or the whole text', isLocal: true },
  download: { places: ['viewer'], bindings: ['d'], words: 'Download', isLocal: true },
  copyLink: { places: ['viewer'], bindings: ['c'], words: 'Copy the link', isLocal: true },
  fileDetails: { places: ['viewer'], bindings: ['i'], words: 'Details of the file', isLocal: true },
})

export type KeyId = keyof typeof keys

/** The places of the key guide, in its order. */
export const keyPlaces: Readonly<Record<KeyPlace, string>> = {
  everywhere: 'Everywhere',
  list: 'Lists',
  cases: 'Cases',
  tests: 'Tests',
  tree: 'Folder tree',
  steps: 'Steps',
  run: 'Run',
  execution: 'Execution',
  note: 'Note',
  versions: 'Versions',
  viewer: 'Viewer of files',
}

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
