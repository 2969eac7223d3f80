import { countText } from '../../../kit/text/count-text.ts'
import { type Case, EvidencePack, type EvidenceWritten } from '../../../operator/evidence/pack.ts'
import type { CommandContext } from '../../context/context.ts'
import { masked } from '../../outcome/secrets-mask.ts'

interface EvidenceOptions {
  /** Folder of the pack. An existing one must be empty. */
  readonly out: string
  /** Masks every text of the pack in addition to secrets. */
  readonly mask?: (text: string) => string
}

/**
 * Writes an evidence pack about a case, with every request that the function makes through the services of this run. Nothing is left
 * if it fails.
 */
export async function writeEvidence(
  context: CommandContext,
  { out, mask }: EvidenceOptions,
  investigate: (pack: EvidencePack) => Promise<Case>,
): Promise<EvidenceWritten> {
  const pack = new EvidencePack({
    folder: out,
    tool: context.tool,
    now: Date.now,
    mask: mask === undefined ? masked : (text) => mask(masked(text)),
  })
  try {
    context.services.recordCalls((...call) => pack.record(...call))
    const written = pack.finish(await investigate(pack))
    const { calls, files, folder } = written
    context.log(
      `Wrote ${files.length} files with ${countText(calls, 'request')} to ${folder}. Open: ${folder}/case.html`,
    )
    return written
  } finally {
    pack.discard()
  }
}
