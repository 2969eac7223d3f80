import { afterAll, afterEach } from 'vitest'
// Before all that hashes passwords.
import './password-hashing.ts'
// Before a database is opened.
import { expectNoScans } from './databases/recorded-queries.ts'
import { expectPublishedResponses } from './http/published-responses.ts'

/** Runs before each test file. What is imported here is loaded once per worker. */
afterEach(expectPublishedResponses)
afterAll(expectNoScans)
