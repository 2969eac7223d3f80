/** Random bytes fetched at once. */
const blockBytes = 4096

/**
 * Returns the same byte stream, read in blocks. A shuffle takes two bytes at a time, and a system call for each pair
 * takes longer than the rest of dealing.
 */
export function inBlocks(random: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let block: Uint8Array = new Uint8Array()
  return (size) => {
    if (size > blockBytes) return random(size)
    if (block.length < size) block = random(blockBytes)
    const bytes = block.subarray(0, size)
    block = block.subarray(size)
    return bytes
  }
}
