import { Avatar } from '../avatar.tsx'
import { Count } from '../count.tsx'
import { FolderPath } from '../folder-path.tsx'
import { Logo } from '../logo.tsx'
import { Markdown } from '../markdown.tsx'
import { Pagination } from '../pagination.tsx'
import { Tags } from '../tags.tsx'
import { Time } from '../time.tsx'
import styles from './gallery.module.css'
import { Row, Section } from './section.tsx'

const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()
const many = Array.from({ length: 50 }, (_, index) => `tag-${index + 1}`)
const levels = [
  'Checkout',
  'Payment',
  'Cards',
  'Credit cards of customers with a billing address abroad',
  'Three D Secure',
  'Refused',
]

const markdown = `Pay **by card** with \`4111 1111 1111 1111\`, see [the list](https://example.org).
The bank asks for a code.

1. Open the shop
2. Pay
   - as a guest
   - as a customer

- [x] Basket is empty
- [ ] Mail has arrived

| Field | Value |
| --- | --- |
| Country | Germany |
| Amount | 12.50 EUR |

> Raw HTML stays text: <b>not bold</b> <script>alert(1)</script>

\`\`\`
POST /v1/results
\`\`\``

export const LabelsSection = () => (
  <Section title="Texts and labels">
    <Row>
      <Logo />
      <Avatar name="Ada Lovelace" />
      <Avatar name="Bob" size={28} />
      <Time at={ago(0)} />
      <Time at={ago(8)} />
      <Time at={ago(190)} />
      <Time at={ago(3 * 24 * 60)} />
      <Time at={ago(40 * 24 * 60)} />
      <Time at={ago(500 * 24 * 60)} />
      <Count value={1432} />
      <Count value={1_432_000} />
    </Row>
    <Tags tags={['smoke', 'payment', 'a tag with a name that is longer than its place in a row']} />
    <Tags tags={many} limit={3} />
    <Tags tags={['smoke', 'payment']} onRemove={() => {}} />
    <FolderPath parts={[{ name: 'Checkout', to: '?a' }, { name: 'Payment', to: '?b' }, { name: 'WEB-642' }]} />
    <FolderPath label="Long path" parts={levels.map((name) => ({ name, to: `?${name}` }))} />
    <Pagination page={3} perPage={20} total={1432} buildPath={(page) => `?page=${page}`} />
    <div className={styles.columns}>
      <Markdown text={markdown} />
      <Markdown text={'Open the shop\nThe basket shows one item'} />
    </div>
  </Section>
)
