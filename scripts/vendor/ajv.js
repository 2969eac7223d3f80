export { Ajv } from 'ajv'
