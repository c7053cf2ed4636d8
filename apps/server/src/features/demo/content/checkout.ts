import { type DemoCase, forEach, inFolder } from './demo-case.ts'

const actions = [
  ['Adding a product', 'Press "Add to basket" on a product page', 'The basket shows 1, and the product with its size'],
  ['Adding the same size twice', 'Add the same size again', 'There is one line with the number 2'],
  ['Adding two sizes', 'Add another size of the product', 'There are two lines'],
  ['Changing the number', 'Set the number to 3', 'The total changes without a reload'],
  ['Setting the number to 0', 'Set the number to 0', 'The line disappears, and "Undo" brings it back'],
  ['Removing a product', 'Press "Remove"', 'The line disappears, and "Undo" brings it back'],
  ['More than are in stock', 'Set the number to 9,999', 'The number becomes what is in stock, and a sentence says so'],
  ['Saving for later', 'Press "Save for later"', 'The line moves below the total'],
] as const

const basketStates = [
  ['signing in', 'Sign in', 'The basket contains what both had, each once'],
  ['closing the browser', 'Close the browser and open the shop again', 'The basket is as before'],
  [
    'a change of price',
    'Let the price change in the back office and reload',
    'The new price is shown with the sentence "The price has changed"',
  ],
  ['selling out', 'Let the product sell out and reload', 'The line says "Sold out" and does not count in the total'],
  ['another country', 'Choose another country in the footer', 'Tax and delivery cost are those of the country'],
  ['another language', 'Choose another language', 'Names are translated; the total is the same'],
] as const

const countries = [
  ['Germany', '10115', '1011'],
  ['Austria', '1010', '10101'],
  ['Switzerland', '8001', 'CH-80'],
  ['France', '75001', '7500A'],
  ['the Netherlands', '1012 AB', '1012'],
  ['Poland', '00-001', '00001-'],
] as const

const deliveries = [
  ['standard delivery', '3.90 €', 'in 2 to 4 days'],
  ['express delivery', '9.90 €', 'on the next day, if it is ordered before 14:00'],
  ['collection in the shop', 'nothing', 'with the opening hours of the shop'],
  ['a parcel locker', '3.40 €', 'with the nearest three lockers'],
] as const

const payments = ['card', 'invoice', 'PayPal', 'bank transfer', 'Apple Pay', 'gift card'] as const

const vouchers = [
  ['10 % off', 'The total is 10 % lower'],
  ['5 € off from 50 €', 'The total is 5 € lower; below 50 € the page says what is missing'],
  ['free delivery', 'Delivery costs nothing'],
  ['one brand only', 'Only products of the brand are reduced'],
  ['already used', 'The page says that the voucher has been used'],
  ['expired', 'The page says since when it is no longer valid'],
  ['two vouchers', 'The page says that vouchers cannot be combined'],
] as const

const payingCases = [
  ...forEach(payments, (payment, index) => ({
    title: `A customer pays by ${payment}`,
    priority: 'critical' as const,
    type: 'end_to_end' as const,
    tags: index < 3 ? ['payment', 'smoke'] : ['payment'],
    precondition: 'A basket with two products, and an address in Germany',
    steps: [
      ['Go to payment', `The page offers ${payment}`],
      [`Choose ${payment} and confirm the order`, 'The order is confirmed with a number'],
      ['Open the mailbox', 'The confirmation names all products, the total and the way of payment'],
    ] as const,
    expected_result: 'The order is in the back office with the state "Paid" or "Payment pending".',
  })),
  ...forEach(payments, (payment) => ({
    title: `A payment by ${payment} is refused`,
    priority: 'high' as const,
    tags: ['payment'],
    precondition: `Test data for which ${payment} is refused`,
    steps: [
      [`Pay by ${payment}`, 'The page says that the payment was refused, and offers other ways to pay'],
      ['Choose another way to pay', 'The order is confirmed; nothing was charged twice'],
    ] as const,
  })),
  ...forEach(payments, (payment) => ({
    title: `A customer leaves during a payment by ${payment} and comes back`,
    priority: 'medium' as const,
    tags: ['payment'],
    steps: [
      [`Begin to pay by ${payment} and press Back`, 'The basket is as before, and nothing was charged'],
      ['Pay again', 'The order is confirmed once'],
    ] as const,
  })),
]

export const checkoutCases: readonly DemoCase[] = [
  ...inFolder(
    ['Basket'],
    forEach(actions, ([title, action, expected], index) => ({
      title,
      priority: index < 4 ? 'high' : 'medium',
      tags: index < 2 ? ['basket', 'smoke'] : ['basket'],
      steps: [
        ['Open a product that is in stock', 'The product can be added'],
        [action, expected],
      ],
    })),
    forEach(basketStates, ([what, action, expected]) => ({
      title: `The basket survives ${what}`,
      priority: 'medium',
      tags: ['basket'],
      precondition: 'A basket with two products',
      steps: [[action, expected]],
    })),
  ),
  ...inFolder(
    ['Checkout', 'Address'],
    forEach(countries, ([country, valid]) => ({
      title: `An address in ${country} is accepted`,
      priority: 'high',
      tags: ['address'],
      steps: [
        [`Enter an address in ${country} with the postcode ${valid}`, 'No field is marked'],
        ['Continue', 'The next page shows the address as it was entered'],
      ],
    })),
    forEach(countries, ([country, , invalid]) => ({
      title: `A postcode that ${country} does not have is refused`,
      priority: 'medium',
      tags: ['address'],
      steps: [
        [`Enter an address in ${country} with the postcode ${invalid}`, 'The field is marked with an example'],
        ['Correct the postcode', 'The mark disappears'],
      ],
    })),
  ),
  ...inFolder(
    ['Checkout', 'Delivery'],
    forEach(deliveries, ([delivery, cost]) => ({
      title: `The cost of ${delivery} is part of the total`,
      priority: 'high',
      tags: ['delivery'],
      steps: [
        [`Choose ${delivery}`, `It costs ${cost}`],
        ['Compare with the basket', 'The total is higher by this amount, including tax'],
      ],
    })),
    forEach(deliveries, ([delivery, , date]) => ({
      title: `The date of ${delivery} is named`,
      priority: 'medium',
      tags: ['delivery'],
      steps: [[`Choose ${delivery}`, `The page names the date: ${date}`]],
    })),
  ),
  ...inFolder(['Checkout', 'Payment'], payingCases),
  ...inFolder(
    ['Checkout', 'Vouchers'],
    forEach(vouchers, ([voucher, expected]) => ({
      title: `A voucher: ${voucher}`,
      priority: 'medium',
      tags: ['voucher'],
      precondition: 'A basket of 60 €',
      steps: [
        ['Enter the code', expected],
        ['Remove the code', 'The total is 60 € again'],
      ],
    })),
  ),
]
