import { afterAll, afterEach } from 'vitest'
// Before all that hashes passwords.
import './password-hashing.ts'
import { expectPublishedResponses } from './published-responses.ts'
// Before a database is opened.
import { expectNoScans } from './recorded-queries.ts'

/** Runs before each test file. What is imported here is loaded once per worker. */
afterEach(expectPublishedResponses)
afterAll(expectNoScans)
