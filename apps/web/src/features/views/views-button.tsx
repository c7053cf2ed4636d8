import { lazyPart } from '../../ui/lazy-part.tsx'
import type { ViewsMenuProps } from './views-menu.tsx'
import { ViewsTrigger } from './views-trigger.tsx'

/** Opens and keeps views of a list. Until its code is loaded, there is its button alone. */
export const ViewsButton = lazyPart(async () => (await import('./views-menu.tsx')).ViewsMenu, {
  button: ({ size }: ViewsMenuProps) => <ViewsTrigger name={undefined} isChanged={false} size={size} />,
})
