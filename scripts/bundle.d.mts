/** Returns whether an import stays a package. */
export function isPackage(id: string, importer?: string): boolean
