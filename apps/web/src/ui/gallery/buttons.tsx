import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'

import { Button, ButtonLink } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { IconButton } from '../icon-button.tsx'
import { Kbd } from '../kbd.tsx'
import { StatusGlyph } from '../status/status-glyph.tsx'
import { Row, Section } from './section.tsx'

export const ButtonsSection = () => (
  <Section title="Buttons">
    <Row>
      <Button variant="primary" icon={<Plus />} shortcut="C">
        New run
      </Button>
      <Button icon={<Play />} shortcut="E">
        Execute
      </Button>
      <Button>Filter</Button>
      <Button variant="quiet">Cancel</Button>
      <Button variant="danger" icon={<Trash2 />}>
        Delete
      </Button>
      <Button disabled>Not allowed</Button>
      <Button variant="primary" isBusy>
        Saving
      </Button>
      <ButtonLink to="?link">Open the run</ButtonLink>
      <CopyButton text="WEB-12" />
    </Row>
    <Row>
      <Button size="form" variant="primary">
        Create project
      </Button>
      <Button size="form">Cancel</Button>
      <Button size="result" icon={<StatusGlyph status="passed" isNamed={false} />} shortcut="P">
        Passed
      </Button>
      <Button size="result" icon={<StatusGlyph status="failed" isNamed={false} />} shortcut="F">
        Failed
      </Button>
    </Row>
    <Row>
      <IconButton label="Rename" icon={<Pencil />} shortcut="F2" />
      <IconButton label="More actions" icon={<Ellipsis />} />
      <IconButton label="Pinned" icon={<Plus />} aria-pressed />
      <IconButton label="Delete" icon={<Trash2 />} disabled />
      <Kbd keys="$mod+K" />
      <Kbd keys="G C" />
      <Kbd keys="Shift+ArrowDown" />
    </Row>
  </Section>
)
