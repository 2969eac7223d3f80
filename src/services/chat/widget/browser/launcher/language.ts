/** Returns the page's language tag, else the browser's. `en_US` is read as `en-US`; other invalid tags are skipped. */
export function browserLanguage(): string {
  for (const tag of [document.documentElement.lang, navigator.language])
    try {
      return new Intl.Locale(tag.replaceAll('_', '-')).baseName
    } catch {}
  return 'en'
}
