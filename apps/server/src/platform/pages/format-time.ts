import { type Html, html } from './html.ts'

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export const formatDateTime = (time: Date) => `${dateTimeFormat.format(time)} UTC`
export const renderDate = (time: Date): Html =>
  html`<time datetime="${time.toISOString()}">${dateFormat.format(time)}</time>`
export const renderDateTime = (time: Date): Html =>
  html`<time datetime="${time.toISOString()}">${formatDateTime(time)}</time>`
