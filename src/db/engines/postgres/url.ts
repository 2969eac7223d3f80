import { Problem } from '../../../kit/problem.ts'

/** Parts of a PostgreSQL URL. */
export interface PostgresAddress {
  /** URL for the driver, without our own parameters. */
  connectionString: string
  /** Schema: `?schema=x`. Default: the connection's own. */
  schema: string | undefined
  /** Session settings that the server applies when a connection starts. */
  options: string
  /** Display form without the password. */
  shown: string
  /** Removes the password from a text. */
  scrub(text: string): string
}

/** Parses the URL. Errors do not repeat it, because the password may be anywhere in it. */
export function parsePostgresUrl(text: string): PostgresAddress {
  const url = URL.parse(text)
  if (!url)
    throw new Problem('STORE_URL', 'The database URL must have the form postgres://user:password@host:port/name')
  const schema = url.searchParams.get('schema') ?? undefined
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Problem(
      'STORE_URL',
      'The schema in the database URL must consist of lower-case letters, digits and underscores',
    )
  const options = url.searchParams.get('options') ?? ''
  url.searchParams.delete('schema')
  url.searchParams.delete('options')
  const secrets = [url.password, decoded(url.password), url.searchParams.get('password') ?? ''].filter(Boolean)
  return {
    connectionString: url.href,
    schema,
    options: [options, schema && `-c search_path=${schema}`].filter(Boolean).join(' '),
    shown: `${url.host || (url.searchParams.get('host') ?? 'localhost')}${url.pathname}`,
    scrub: (message) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), message),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
