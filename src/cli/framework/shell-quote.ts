export { typedCommand } from '../../kit/shell-quote.ts'
