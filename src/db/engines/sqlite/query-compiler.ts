import { type CompiledQuery, type QueryId, type RootOperationNode, SqliteQueryCompiler } from 'kysely'

/**
 * Compiles queries to SQLite's SQL. SQLite plans `limit ?`, and `= ?` next to an order, by the bound values, and compiles
 * such a statement again for each execution: ten times the cost of a short query. The value of `+?` is not known to the
 * planner. That of a pattern is: `like 'a%'` is a range of an index.
 */
export class QueryCompiler extends SqliteQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const query = super.compileQuery(node, queryId)
    return { ...query, sql: query.sql.replaceAll(' like +?', ' like ?') }
  }

  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
