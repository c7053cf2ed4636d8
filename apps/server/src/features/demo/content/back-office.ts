import { type DemoCase, forEach, inFolder } from './demo-case.ts'

const productFields = ['name', 'price', 'tax', 'pictures', 'sizes', 'stock', 'category', 'description'] as const

const orderStates = [
  ['paid', 'packed', 'The list for packing contains the order'],
  ['packed', 'sent', 'The customer receives a mail with the number of the parcel'],
  ['sent', 'delivered', 'A return is possible for 30 days'],
  ['paid', 'cancelled', 'The money is refunded, and the stock is as before'],
  ['sent', 'returned', 'The refund is prepared but not paid yet'],
] as const

const orderFilters = ['state', 'date', 'country', 'payment', 'customer', 'total'] as const

const roles = [
  ['A packer', 'sees no prices of purchase'],
  ['A packer', 'cannot change products'],
  ['An editor', 'changes texts and pictures only'],
  ['An accountant', 'exports invoices of a month'],
  ['An accountant', 'cannot change orders'],
  ['An administrator', 'gives a role to a colleague'],
] as const

const reports = [
  'Sales by day',
  'Sales by category',
  'Returns by reason',
  'Baskets that were left',
  'Stock',
  'Vouchers',
] as const

const imports = [
  ['a file with 1,000 products', 'All are created within a minute'],
  ['a file with two wrong rows', 'Nothing is imported, and the two rows are named'],
  ['a file with products that exist', 'They are updated, and the others are untouched'],
  ['a file in another encoding', 'Umlauts are right'],
] as const

const pages = ['start page', 'search', 'product page', 'basket', 'checkout', 'account'] as const

const attacks = [
  ['text with HTML in a review', 'The review shows the text as it was written'],
  ['the address of an order of another customer', 'The page is not found'],
  ['an order with a changed price', 'The price of the shop counts'],
  ['a form that is sent from another site', 'It is refused'],
  ['1,000 sign-ins in a minute', 'Further ones are refused for a while'],
  ['a file that is no picture as a picture', 'It is refused with a reason'],
] as const

const endpoints = [
  ['GET /products', 'lists products page by page'],
  ['GET /products/:id', 'returns 404 for a product that was deleted'],
  ['POST /orders', 'creates an order once, however often it is sent'],
  ['GET /orders/:id', 'returns the states with their times'],
  ['PATCH /stock', 'refuses a negative number'],
  ['GET /prices', 'returns prices in the requested currency'],
] as const

export const backOfficeCases: readonly DemoCase[] = [
  ...inFolder(
    ['Back office', 'Products'],
    forEach(productFields, (field) => ({
      title: `An editor changes the ${field} of a product`,
      priority: field === 'price' || field === 'stock' ? 'high' : 'medium',
      tags: ['products'],
      steps: [
        ['Open a product in the back office', `The present ${field} is shown`],
        [`Change the ${field} and save`, 'The page says who changed it and when'],
        ['Open the product in the shop', `The new ${field} is shown within a minute`],
      ],
    })),
    forEach(imports, ([file, expected]) => ({
      title: `Importing ${file}`,
      priority: 'high',
      type: 'integration',
      tags: ['products', 'import'],
      steps: [
        ['Choose the file', 'A preview shows the first ten rows'],
        ['Import', expected],
      ],
    })),
  ),
  ...inFolder(
    ['Back office', 'Orders'],
    forEach(orderStates, ([from, to, expected]) => ({
      title: `An order goes from ${from} to ${to}`,
      priority: 'high',
      tags: ['orders'],
      precondition: `An order that is ${from}`,
      steps: [[`Set the state to "${to}"`, expected]],
    })),
    forEach(orderFilters, (filter) => ({
      title: `Orders are filtered by ${filter}`,
      priority: 'low',
      tags: ['orders'],
      steps: [
        [`Filter by ${filter}`, 'Only orders that fit are listed; the number is right'],
        ['Export the list', 'The file contains the same orders'],
      ],
    })),
  ),
  ...inFolder(
    ['Back office', 'Roles'],
    forEach(roles, ([role, what]) => ({
      title: `${role} ${what}`,
      priority: 'high',
      type: 'security',
      tags: ['roles'],
      steps: [
        [`Sign in as ${role.toLowerCase()}`, 'The menu shows only what the role may do'],
        ['Try it, also by typing the address of the page', `As the title says: ${role.toLowerCase()} ${what}`],
      ],
    })),
  ),
  ...inFolder(
    ['Back office', 'Reports'],
    forEach(reports, (report) => ({
      title: `The report "${report}" agrees with the orders`,
      priority: 'medium',
      tags: ['reports'],
      precondition: 'The test data of March, whose totals are known',
      steps: [
        [`Open "${report}" for March`, 'The figures are those of the list of totals'],
        ['Choose another month and go back', 'The figures are the same as before'],
      ],
    })),
  ),
  ...inFolder(
    ['Quality', 'Accessibility'],
    forEach(pages, (page) => ({
      title: `The ${page} can be used by keyboard alone`,
      priority: 'high',
      type: 'accessibility',
      tags: ['accessibility'],
      steps: [
        [`Go through the ${page} with Tab`, 'The focus is always visible and follows the order of the page'],
        ['Use everything with Enter, Space and the arrow keys', 'Everything works, and nothing traps the focus'],
      ],
    })),
    forEach(pages, (page) => ({
      title: `A screen reader reads the ${page}`,
      priority: 'medium',
      type: 'accessibility',
      tags: ['accessibility'],
      steps: [[`Read the ${page} with NVDA`, 'Headings, prices, errors and changes are announced']],
    })),
  ),
  ...inFolder(
    ['Quality', 'Speed'],
    forEach(pages, (page) => ({
      title: `The ${page} can be used within two seconds`,
      priority: 'medium',
      type: 'performance',
      tags: ['speed'],
      precondition: 'A phone of the middle class with 4G',
      steps: [
        [`Open the ${page} with an empty cache`, 'It can be used within two seconds, and nothing moves after that'],
      ],
    })),
  ),
  ...inFolder(
    ['Quality', 'Security'],
    forEach(attacks, ([what, expected]) => ({
      title: `The shop withstands ${what}`,
      priority: 'critical',
      type: 'security',
      tags: ['security'],
      steps: [[`Send ${what}`, expected]],
    })),
  ),
  ...inFolder(
    ['Interface'],
    forEach(endpoints, ([endpoint, what]) => ({
      title: `${endpoint} ${what}`,
      priority: 'high',
      type: 'api',
      tags: ['api', 'automated'],
      steps: [['Send the request of the collection', `It ${what}`]],
    })),
  ),
]
