/** A script's text for browsers, made of its TypeScript. */
export function widgetScript(file: string): string
