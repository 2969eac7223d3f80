import { afterAll, afterEach, expect, inject } from 'vitest'
// Imported before every module that hashes passwords.
import './password-hashing.ts'
// Imported before a database is opened.
import { expectNoScans } from './databases/recorded-queries.ts'
import { readSchemaScripts } from './databases/schema-scripts.ts'
import { expectPublishedResponses } from './http/published-responses.ts'

/** Runs before each test file. Modules imported here are loaded once per worker. */
afterEach(expectPublishedResponses)
afterAll(expectNoScans)
// The tests of the databases themselves run the migrations.
readSchemaScripts(inject('schemaScripts'), () => !expect.getState().testPath?.includes('/test/db/'))
