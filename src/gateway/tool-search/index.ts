export { toolSearchFor } from './listed.ts'
export { withToolSearch } from './rounds.ts'
