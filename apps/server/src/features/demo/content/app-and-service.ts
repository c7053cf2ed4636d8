import { type DemoCase, forEach, inFolder } from './demo-case.ts'

const pages = ['start page', 'search', 'product page', 'basket', 'checkout', 'account'] as const
const browsers = ['Chrome', 'Firefox', 'Safari', 'Edge', 'Samsung Internet'] as const
const languages = ['French', 'Polish'] as const

const wishes = [
  [
    'Adding a product to the wish list',
    'Press the heart of a product',
    'The heart is filled, and the list has one more',
  ],
  ['Removing it again', 'Press the filled heart', 'The heart is empty, and "Undo" fills it again'],
  ['The wish list of a guest', 'Sign in', 'The wishes of the guest are in the list of the customer'],
  ['Moving a wish to the basket', 'Press "To the basket"', 'The basket contains it in the chosen size'],
  ['A wish that is cheaper now', 'Let its price fall', 'The list says by how much'],
  ['A wish that is sold out', 'Let it sell out', 'The list says so and offers a message when it is back'],
  ['Sharing the list', 'Press "Share" and open the link without an account', 'The list can be read and not changed'],
  ['Ending the sharing', 'Press "Stop sharing" and open the link', 'The page is not found'],
  ['A second list', 'Press "New list"', 'Products can be moved between the lists'],
  ['A list of 200 wishes', 'Scroll through the list', 'It scrolls without jerks'],
] as const

const points = [
  ['are added for an order', 'Let an order of 80 € be delivered', 'The account has 80 points more'],
  ['are not added before the delivery', 'Pay for an order', 'The points are shown as pending'],
  ['are taken back with a return', 'Return a product of 30 €', 'The account has 30 points less'],
  ['pay part of an order', 'Use 500 points', 'The total is 5 € lower'],
  ['cannot pay more than the total', 'Use 50,000 points for an order of 20 €', 'Only 2,000 are used'],
  ['expire after two years', 'Set the clock of the test system two years ahead', 'A mail warns four weeks before that'],
  ['are listed with their reason', 'Open "Points"', 'Each change has a date, an order and a number'],
  ['of a guest', 'Register after an order as a guest', 'The points of the order are added'],
  ['of two accounts of one person', 'Merge the accounts', 'The points are added up'],
  ['and vouchers together', 'Use points and a voucher', 'The voucher counts first'],
  ['after a price error', 'Let the back office correct an order', 'The points are those of the corrected total'],
  ['in the app', 'Open the app', 'The number is the same as on the website'],
] as const

const service = [
  ['Asking a question about a product', 'Press "Ask a question"', 'The question names the product'],
  ['Finding an answer without asking', 'Type "return"', 'The three best answers are shown'],
  ['A chat in opening hours', 'Press "Chat"', 'A person answers within two minutes'],
  ['A chat at night', 'Press "Chat" at 23:00', 'The page says when someone answers, and takes a message'],
  ['A chat that is interrupted', 'Switch the network off for a minute', 'Nothing that was written is lost'],
  ['A picture in the chat', 'Send a photograph of 12 MB', 'It is made smaller and sent'],
  ['A complaint', 'Choose "Complaint" and an order', 'A number and the time of an answer are named'],
  ['The history of the conversation', 'Open "My questions"', 'All questions and answers are listed'],
  ['Rating the answer', 'Choose four stars', 'The page thanks and asks nothing more'],
  ['Calling back', 'Enter a phone number', 'The page names the time of the call'],
  ['The answers in another language', 'Choose French', 'Questions and answers are French'],
  ['Data on request', 'Press "Send me my data"', 'A file with all data arrives within a day'],
] as const

const notifications = [
  'an order that is sent',
  'a refund',
  'a wish that is cheaper',
  'an answer of the service',
  'points that expire',
] as const

const giftCards = [
  ['is bought and sent by mail', 'The recipient gets a mail on the chosen day'],
  ['is bought to print', 'A PDF with code and amount opens'],
  ['pays a whole order', 'Nothing else has to be chosen'],
  ['pays part of an order', 'The rest is paid in another way, and the card is empty'],
  ['shows what is left', 'The amount and the orders are listed'],
  ['with a wrong code is refused', 'The field is marked, and after ten attempts others are delayed'],
  ['is added to an account', 'It is offered with the next order'],
  ['cannot be bought with a gift card', 'This way of payment is not offered'],
  ['is refunded within 14 days', 'The code has ended, and the money is on its way'],
] as const

export const appAndServiceCases: readonly DemoCase[] = [
  ...inFolder(
    ['Quality', 'Browsers'],
    ...browsers.map((browser) =>
      forEach(pages, (page) => ({
        title: `The ${page} works in ${browser}`,
        priority: browser === 'Chrome' ? 'high' : 'low',
        type: 'compatibility',
        tags: ['browsers'],
        precondition: `The present and the previous version of ${browser}`,
        steps: [
          [`Open the ${page} in ${browser}`, 'It looks as in the design'],
          ['Use everything on it once', 'Everything works, and the console shows no error'],
        ],
      })),
    ),
  ),
  ...inFolder(
    ['Quality', 'Languages'],
    ...languages.map((language) =>
      forEach(pages, (page) => ({
        title: `The ${page} is complete in ${language}`,
        priority: 'medium',
        tags: ['translation'],
        steps: [
          [`Open the ${page} in ${language}`, `Every text is ${language}, and none is cut off`],
          ['Look at dates, numbers and prices', `They are written as is usual in ${language}`],
        ],
      })),
    ),
  ),
  ...inFolder(
    ['Wish list'],
    forEach(wishes, ([title, action, expected]) => ({
      title,
      priority: 'medium',
      tags: ['wish list'],
      steps: [
        ['Sign in and open a product', 'The heart beside its name is empty'],
        [action, expected],
      ],
    })),
  ),
  ...inFolder(
    ['Loyalty points'],
    forEach(points, ([what, action, expected]) => ({
      title: `Loyalty points ${what}`,
      priority: 'medium',
      tags: ['points'],
      precondition: 'A customer with 2,500 points',
      steps: [
        [action, expected],
        ['Open "Points"', 'The sum agrees with the list'],
      ],
    })),
  ),
  ...inFolder(
    ['Customer service'],
    forEach(service, ([title, action, expected]) => ({
      title,
      priority: 'low',
      type: 'acceptance',
      tags: ['service'],
      steps: [[action, expected]],
    })),
  ),
  ...inFolder(
    ['App', 'Notifications'],
    forEach(notifications, (reason) => ({
      title: `The app tells of ${reason}`,
      priority: 'medium',
      tags: ['app'],
      steps: [
        [`Cause ${reason}`, 'The notification arrives within a minute, and its text is right'],
        ['Tap it', 'The page that it speaks of opens'],
      ],
    })),
    forEach(notifications, (reason) => ({
      title: `The app says nothing of ${reason} if the customer does not want it`,
      priority: 'low',
      tags: ['app'],
      precondition: 'This notification is switched off in the settings of the app',
      steps: [[`Cause ${reason}`, 'No notification arrives; the page in the app shows it']],
    })),
  ),
  ...inFolder(
    ['Gift cards'],
    forEach(giftCards, ([what, expected]) => ({
      title: `A gift card ${what}`,
      priority: 'medium',
      tags: ['gift cards'],
      precondition: 'A gift card of 50 €',
      steps: [[`As the title says: a gift card ${what}`, expected]],
    })),
  ),
]
