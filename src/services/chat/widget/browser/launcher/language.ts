/** The page's language tag. Pages write what is no tag, such as en_US; what cannot be read as one is passed over. */
export function browserLanguage(): string {
  for (const tag of [document.documentElement.lang, navigator.language])
    try {
      return new Intl.Locale(tag.replaceAll('_', '-')).baseName
    } catch {}
  return 'en'
}
