import { type Html, html } from './html.ts'

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const minutes = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export const formatDateTime = (time: Date) => `${minutes.format(time)} UTC`
export const renderDate = (time: Date): Html => html`<time datetime="${time.toISOString()}">${days.format(time)}</time>`
export const renderDateTime = (time: Date): Html =>
  html`<time datetime="${time.toISOString()}">${formatDateTime(time)}</time>`
