import { type DemoCase, forEach, inFolder } from './demo-case.ts'

const signIns = [
  ['A customer signs in with a password', 'Enter email address and password', 'The page says "Hello, Mira"'],
  ['A customer signs in with Google', 'Press "Continue with Google"', 'The page says "Hello, Mira"'],
  ['A wrong password is refused', 'Enter a wrong password', 'One sentence says so, and not which of the two is wrong'],
  ['Too many attempts are slowed down', 'Enter ten wrong passwords', 'The page says when the next attempt is possible'],
  [
    'A customer registers',
    'Enter name, address and a password',
    'The account exists after the link in the mail is opened',
  ],
  ['A password can be reset', 'Press "Forgot the password?"', 'A mail with a link arrives within a minute'],
  [
    'A reset link works once',
    'Open the link of a used reset again',
    'The page says that the link has ended and offers a new one',
  ],
  ['Signing out ends the session', 'Sign out and press Back', 'The sign-in page opens'],
  [
    '"Stay signed in" lasts 30 days',
    'Set the clock of the computer to 29 days later',
    'The customer is still signed in',
  ],
] as const

const profileFields = ['name', 'email address', 'phone number', 'default address', 'language', 'newsletter'] as const

const orderActions = [
  ['The list of orders', 'Open "Orders"', 'All orders are listed, the newest first, with date, total and state'],
  ['An order with all details', 'Open an order', 'Products, address, payment and delivery are named'],
  ['The invoice as PDF', 'Press "Invoice"', 'A PDF opens with the right totals and tax'],
  ['Following a parcel', 'Press "Where is my parcel?"', 'The state of the carrier is shown'],
  ['Cancelling an order', 'Press "Cancel" before it is sent', 'The state is "Cancelled", and the money is refunded'],
  ['Ordering the same again', 'Press "Order again"', 'The basket contains what is still in stock'],
  ['An order of a guest', 'Enter order number and email address', 'The order is shown without an account'],
  ['Searching the orders', 'Search for a product', 'The orders that contain it are listed'],
] as const

const returns = [
  ['is announced', 'Choose a product and a reason', 'A label can be printed'],
  ['is announced for part of an order', 'Choose one of two products', 'The refund names one product'],
  ['after 30 days is refused', 'Open an order that is 31 days old', 'The page says until when a return was possible'],
  ['is refunded', 'Let the back office receive the parcel', 'The state is "Refunded", and a mail says so'],
  ['is exchanged for another size', 'Choose "Another size"', 'A new order without cost is made'],
  ['without a printer', 'Press "No printer?"', 'A code for the post office is shown'],
] as const

const mails = [
  'order confirmation',
  'dispatch note',
  'return label',
  'refund',
  'password reset',
  'stock alert',
] as const

export const accountCases: readonly DemoCase[] = [
  ...inFolder(
    ['Account', 'Sign-in'],
    forEach(signIns, ([title, action, expected], index) => ({
      title,
      priority: index < 3 ? 'critical' : 'high',
      type: index === 3 || index === 6 ? 'security' : 'functional',
      tags: index < 3 ? ['sign-in', 'smoke'] : ['sign-in'],
      steps: [
        ['Open "Sign in"', 'The cursor is in the email field'],
        [action, expected],
      ],
    })),
  ),
  ...inFolder(
    ['Account', 'Profile'],
    forEach(profileFields, (field) => ({
      title: `A customer changes the ${field}`,
      priority: field === 'email address' ? 'high' : 'low',
      tags: ['profile'],
      signsIn: true,
      steps: [
        ['Open "Profile"', `The present ${field} is shown`],
        [`Change the ${field} and save`, 'The page says "Saved"'],
        ['Sign out and in again', `The new ${field} is shown`],
      ],
    })),
  ),
  ...inFolder(
    ['Account', 'Orders'],
    forEach(orderActions, ([title, action, expected]) => ({
      title,
      priority: 'medium',
      tags: ['orders'],
      precondition: 'A customer with three orders',
      steps: [[action, expected]],
    })),
  ),
  ...inFolder(
    ['Account', 'Returns'],
    forEach(returns, ([what, action, expected]) => ({
      title: `A return ${what}`,
      priority: 'medium',
      tags: ['returns'],
      precondition: 'An order that was delivered 10 days ago',
      steps: [
        ['Open the order and press "Return"', 'Its products are listed'],
        [action, expected],
      ],
    })),
  ),
  ...inFolder(
    ['Mails'],
    forEach(mails, (mail) => ({
      title: `The mail "${mail}" is complete`,
      priority: 'medium',
      tags: ['mail'],
      steps: [
        [`Cause the mail "${mail}"`, 'It arrives within a minute'],
        ['Read it on a computer and on a phone', 'All figures are right, and nothing is cut off'],
        ['Read it as plain text', 'It says the same, and its links work'],
      ],
    })),
    forEach(mails, (mail) => ({
      title: `The mail "${mail}" has the language of the customer`,
      priority: 'low',
      tags: ['mail', 'translation'],
      precondition: 'A customer whose language is French',
      steps: [[`Cause the mail "${mail}"`, 'Subject and text are French; names and numbers are unchanged']],
    })),
  ),
]
