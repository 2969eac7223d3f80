import {
  type ColumnDefinitionNode,
  type DataTypeNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { DriverlessDialect } from '../kysely-dialect.ts'

/**
 * Columns as on SQLite: texts are compared by bytes, not by the server's locale, and all whole numbers have the same
 * range.
 */
class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const parent = this.parentNode
    const inColumn = parent?.kind === 'ColumnDefinitionNode' && (parent as ColumnDefinitionNode).dataType === node
    if (inColumn && node.dataType === 'text') this.append('text collate "C"')
    else if (inColumn && node.dataType === 'integer') this.append('bigint')
    else super.visitDataType(node)
  }
}

const adapter = new PostgresAdapter()
const compiler = new Compiler()

export const driverlessDialect: DriverlessDialect = {
  createAdapter: () => adapter,
  createQueryCompiler: () => compiler,
  createIntrospector: (db) => new PostgresIntrospector(db),
}
