import { afterAll, afterEach } from 'vitest'
// Imported before every module that hashes passwords.
import './password-hashing.ts'
// Imported before a database is opened.
import { expectNoScans } from './databases/recorded-queries.ts'
import { expectPublishedResponses } from './http/published-responses.ts'

/** Runs before each test file. Modules imported here are loaded once per worker. */
afterEach(expectPublishedResponses)
afterAll(expectNoScans)
