/** How much chance is fetched at once. */
const blockBytes = 4096

/**
 * The same stream of bytes, fetched in blocks. A shuffle asks for two bytes at a time, and going to the machine for each
 * pair takes longer than all the rest of dealing.
 */
export function inBlocks(random: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let block: Uint8Array = new Uint8Array()
  return (size) => {
    if (size > blockBytes) return random(size)
    if (block.length < size) block = random(blockBytes)
    const taken = block.subarray(0, size)
    block = block.subarray(size)
    return taken
  }
}
