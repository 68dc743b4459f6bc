export { type Log, silent } from '../core/log.ts'
