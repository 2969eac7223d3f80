/** The page's language tag. Pages also write invalid tags, such as en_US; what cannot be read as one is passed over. */
export function browserLanguage(): string {
  for (const tag of [document.documentElement.lang, navigator.language])
    try {
      return new Intl.Locale(tag.replaceAll('_', '-')).baseName
    } catch {}
  return 'en'
}
