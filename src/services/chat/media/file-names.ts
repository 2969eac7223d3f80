/** Allowed file names: recipients open a file by its name, not by its content type. */

/**
 * Extensions that a system or browser runs, or reads as active markup: programs, scripts, pages, links, macros, disks.
 */
const running = new Set(
  `exe com scr pif msi msp mst msix appx appxbundle msixbundle bat cmd ps1 ps1xml psm1 psd1 psc1 vb vbs vbe js jse mjs cjs jsx
  ws wsf wsh wsc sct jar jnlp class app apk aab ipa dmg pkg deb rpm appimage run sh bash zsh csh ksh fish command tool workflow
  action scpt scptd applescript terminal py pyc pyo pyw pyz rb pl pm php php3 php4 php5 php7 phtml phar asp aspx ascx ashx asmx
  jsp jspx cgi lua hta htc htm html xhtml xht shtml shtm stm mht mhtml svg svgz xml xsl xslt xul xbl rdf swf dll sys drv ocx cpl
  lnk url website webloc inetloc desktop scf inf reg gadget msc application appref-ms library-ms search-ms searchconnector-ms
  settingcontent-ms diagcab diagcfg diagpkg theme themepack chm hlp crx xpi iso img vhd vhdx udf wim docm dotm xlsm xltm xlam xlsb
  xll pptm potm ppam ppsm sldm slk iqy rqy job ade adp accde mde`.split(/\s+/),
)

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Content types by extension. Any other extension is treated as part of the name, as in `plan v1.2`. */
const meaning = new Map<string, readonly string[]>(
  Object.entries({
    png: ['image/png'],
    jpg: ['image/jpeg'],
    jpeg: ['image/jpeg'],
    jpe: ['image/jpeg'],
    jfif: ['image/jpeg'],
    gif: ['image/gif'],
    webp: ['image/webp'],
    pdf: ['application/pdf'],
    txt: ['text/plain', 'text/csv'],
    csv: ['text/csv', 'text/plain'],
    mp4: ['video/mp4'],
    webm: ['video/webm'],
    mp3: ['audio/mpeg'],
    ogg: ['audio/ogg'],
    oga: ['audio/ogg'],
    wav: ['audio/wav'],
    // Both are ZIP archives, and some systems report them only as that.
    docx: [docx, 'application/zip'],
    xlsx: [xlsx, 'application/zip'],
    zip: ['application/zip'],
  }),
)

/**
 * Returns whether a file of this type may have the name: its extension is not executable and not that of another type.
 */
export function isNameFor(type: string, name: string): boolean {
  // On systems that drop trailing dots and spaces, the part before them is the extension.
  const ending = /\.([^.]+)$/.exec(name.toLowerCase().replace(/[.\s]+$/u, ''))?.[1]
  if (ending === undefined) return true
  return !running.has(ending.trim()) && (meaning.get(ending)?.includes(type) ?? true)
}

/** Returns the content type of a file by its extension, if files of that type may be sent. */
export function typeOfName(name: string): string | undefined {
  return meaning.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')?.[0]
}
