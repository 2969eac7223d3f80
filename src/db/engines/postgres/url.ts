import { Problem } from '../../../kit/problem.ts'

/** What a PostgreSQL URL says. */
export interface PostgresAddress {
  /** For the driver; without what is ours in it. */
  connectionString: string
  /** The schema to live in: `?schema=x`. Without it, the connection's own. */
  schema: string | undefined
  /** Further settings of a session, as the server takes them when a connection begins. */
  options: string
  /** Where it is, for people: without the password. */
  shown: string
  /** Takes the password out of a text that is to be shown. */
  scrub(text: string): string
}

/** Reads the URL. What is wrong with it is not repeated, since its password may stand anywhere in it. */
export function parsePostgresUrl(text: string): PostgresAddress {
  const url = URL.parse(text)
  if (!url)
    throw new Problem('STORE_URL', 'The database URL is not in the form postgres://user:password@host:port/name')
  const schema = url.searchParams.get('schema') ?? undefined
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Problem('STORE_URL', 'A schema is named in small letters, digits and underscores')
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
