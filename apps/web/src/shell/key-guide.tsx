import { Link, matchPath, useLocation } from 'react-router'

import type { KeyDefinition, KeyId, KeyPlace } from '../keys.ts'
import { paths, routePatterns } from '../paths.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { isKeyInUse } from '../use-keys.ts'
import { preferences, usePreference } from '../use-preferences.ts'
import { KeyList } from './key-list.tsx'

/** The keys of each page, apart from those that act everywhere. */
const placesOfPages: readonly (readonly [pattern: string, places: readonly KeyPlace[]])[] = [
  [routePatterns.cases, ['list', 'cases', 'tree', 'steps']],
  [routePatterns.case, ['steps']],
  [routePatterns.newRun, []],
  [routePatterns.runs, ['list']],
  [routePatterns.tests, ['list', 'tests']],
  [routePatterns.run, ['list', 'run']],
  [routePatterns.runTests, ['list', 'run', 'tests']],
  [routePatterns.runFailures, ['tests']],
  [routePatterns.insight, ['list', 'tests']],
  [routePatterns.execution, ['execution', 'note']],
]

/** What the keys of this page do, and the switch for those without a modifier. */
export function KeyGuide({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const areLettersOn = usePreference('singleLetterKeys')
  const places = placesOfPages.find(([pattern]) => matchPath(pattern, pathname) !== null)?.[1] ?? []
  return (
    <Dialog isOpen onClose={onClose} title="Keys of this page" size="large">
      <Checkbox
        label="Keys without Ctrl, Alt or ⌘"
        hint="Switch them off if speech input or typing by mistake triggers them."
        checked={areLettersOn}
        onChange={(singleLetterKeys) => preferences.set({ singleLetterKeys })}
      />
      <KeyList places={['everywhere', ...places]} headingLevel={3} isShown={isAvailable} />
      <p>
        <Link to={paths.account('keys')} onClick={onClose}>
          All keys and settings
        </Link>{' '}
        ·{' '}
        <Link to={paths.help()} onClick={onClose}>
          User guide
        </Link>
      </p>
    </Dialog>
  )
}

/** Of the keys that act everywhere, some need something that not every page has, such as a search. */
const isAvailable = (id: KeyId, { places, isLocal }: KeyDefinition) =>
  isLocal === true || !places.includes('everywhere') || isKeyInUse(id)
