export { openPage, type Page } from './page.js'
export { PageError } from './read-apart.js'
export type { PageLink, ReadablePage } from './readable.js'
