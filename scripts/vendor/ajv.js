// What of it is used, by name: the package itself is CommonJS and has one export.
export { Ajv } from 'ajv'
