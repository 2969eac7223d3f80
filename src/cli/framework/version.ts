import { schemaVersion } from '../outcome/envelope.ts'
import { readPackage } from './manifest.ts'

/** Versions for bug reports, and for scripts that depend on the output schema. */
export function versionData(root: string) {
  return {
    countroom: readPackage(root).version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    schemaVersion,
  }
}

export function versionText(root: string): string {
  const { countroom, node, platform } = versionData(root)
  return `countroom ${countroom}\nnode ${node}\nplatform ${platform}\noutput schema ${schemaVersion}\n`
}
