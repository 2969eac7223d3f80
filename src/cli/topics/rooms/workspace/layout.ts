/** Sizes of the parts of the agent's screen. */
export interface Layout {
  readonly columns: number
  readonly rows: number
  /** Width of the queue; 0 on a narrow terminal, where the queue and the conversation share the whole width. */
  readonly queue: number
  /** First column and width of the conversation. */
  readonly conversationAt: number
  readonly conversationWidth: number
  /** Rows of queue and conversation. */
  readonly body: number
  /** Rows of the answer. */
  readonly answer: number
}

/** Width below which queue and conversation are shown in turn. */
const narrow = 64
/** Rows of header, room line and key line. */
const fixed = 3
const maxAnswer = 5

export function layoutOf(size: { readonly columns: number; readonly rows: number }, answerLines: number): Layout {
  const columns = Math.max(20, size.columns)
  const rows = Math.max(8, size.rows)
  const queue = columns < narrow ? 0 : Math.min(34, Math.floor(columns * 0.32))
  const conversationAt = queue === 0 ? 0 : queue + 2
  const answer = Math.max(1, Math.min(maxAnswer, answerLines, rows - fixed - 3))
  return {
    columns,
    rows,
    queue,
    conversationAt,
    conversationWidth: columns - conversationAt,
    body: rows - fixed - answer,
    answer,
  }
}
