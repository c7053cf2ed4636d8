import { type DemoCase, forEach, inFolder } from './demo-case.ts'

const searches = [
  ['a product name', 'Rain jacket Nordkap', 'The rain jacket is the first hit'],
  ['part of a name', 'nordk', 'The rain jacket and the hat of the same name are found'],
  ['an article number', '4711-32', 'The page of this product opens'],
  ['a typing error', 'rian jacket', '"Did you mean rain jacket?" is offered with its hits'],
  ['two words in any order', 'jacket rain', 'The rain jackets are found'],
  ['an umlaut', 'Mütze', 'Hats are found, also those written "Muetze"'],
  ['only spaces', '   ', 'Nothing happens, and the field keeps the focus'],
  ['a word that nothing contains', 'xylophone', 'The page says that nothing was found and shows popular products'],
] as const

const orders = [
  ['price, lowest first', 'No product is cheaper than the one before it'],
  ['price, highest first', 'No product is more expensive than the one before it'],
  ['newest first', 'The product that was added last is the first one'],
  ['best rated', 'No product has a better rating than the one before it'],
] as const

const filters = ['brand', 'colour', 'size', 'price range', 'availability', 'rating'] as const

const parts = [
  ['pictures', 'Open the first picture and go through all of them', 'Each picture is sharp and has a description'],
  [
    'sizes',
    'Choose each size',
    'Price and delivery time are those of the size; sizes that are sold out cannot be chosen',
  ],
  ['delivery time', 'Change the country in the footer', 'The delivery time is that of the country'],
  [
    'reviews',
    'Open "All reviews" and choose three stars',
    'Only reviews with three stars are listed, the newest first',
  ],
  ['similar products', 'Open a similar product and go back', 'The page is where it was before'],
  [
    'reduced price',
    'Compare with the price list',
    'The old price is struck out, and the lowest price of 30 days is named',
  ],
  ['size guide', 'Enter height and weight', 'A size is suggested and chosen'],
  ['sold-out product', 'Enter an email address under "Tell me when it is back"', 'The address is confirmed'],
] as const

export const catalogueCases: readonly DemoCase[] = [
  ...inFolder(
    ['Catalogue', 'Search'],
    forEach(searches, ([what, text, expected], index) => ({
      title: `Search finds products by ${what}`,
      priority: index < 3 ? 'high' : 'medium',
      tags: index < 3 ? ['search', 'smoke'] : ['search'],
      steps: [
        ['Open the start page', 'The search field is at the top'],
        [`Search for "${text}"`, expected],
      ],
    })),
    forEach(orders, ([order, expected]) => ({
      title: `Hits are sorted by ${order}`,
      priority: 'medium',
      tags: ['search'],
      precondition: 'A search with at least 30 hits',
      steps: [
        [`Choose "${order}"`, expected],
        ['Go to the second page', 'The order continues there'],
        ['Reload the page', 'The order is the same'],
      ],
    })),
  ),
  ...inFolder(
    ['Catalogue', 'Filters'],
    forEach(filters, (filter) => ({
      title: `A filter by ${filter} shows only what fits`,
      priority: 'high',
      tags: ['filters'],
      steps: [
        ['Open "Jackets"', 'All jackets are listed with their number'],
        [`Filter by ${filter}`, 'Only products that fit are listed, and the number is right'],
        ['Copy the address into another window', 'The same products are listed'],
      ],
    })),
    forEach(filters, (filter) => ({
      title: `Removing the filter by ${filter} keeps the other filters`,
      priority: 'low',
      tags: ['filters'],
      precondition: `The filter by ${filter} and another filter are set`,
      steps: [
        [`Remove the filter by ${filter}`, 'More products are listed; the other filter is still set'],
        ['Press Back', 'Both filters are set again'],
      ],
    })),
  ),
  ...inFolder(
    ['Catalogue', 'Product page'],
    forEach(parts, ([part, action, expected], index) => ({
      title: `The product page shows ${part}`,
      priority: index < 3 ? 'high' : 'medium',
      tags: ['product page'],
      steps: [
        ['Open a product', 'The page shows name, price and the first picture'],
        [action, expected],
      ],
    })),
    forEach(parts, ([part, action, expected]) => ({
      title: `On a phone, the product page shows ${part}`,
      priority: 'low',
      type: 'usability',
      tags: ['product page', 'phone'],
      precondition: 'A phone with a screen of 390 pixels',
      steps: [
        ['Open a product', 'Nothing is cut off, and nothing scrolls sideways'],
        [action, expected],
      ],
    })),
  ),
]
