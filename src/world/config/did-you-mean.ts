export { editDistance, nearest } from '../../kit/nearest.ts'
