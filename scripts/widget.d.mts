/** Returns a script's text for browsers, bundled from its TypeScript modules. */
export function widgetScript(file: string): Promise<string>
