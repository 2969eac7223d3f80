import { schemaVersion } from '../outcome/envelope.ts'
import { readPackage } from './manifest.ts'

/** What runs here: enough for a report of a fault, and for a script that must know the form of the output. */
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
