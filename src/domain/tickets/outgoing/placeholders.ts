/** Leftovers in a text: placeholders, mentions of colleagues, headings of internal notes. */

export type LeftoverRule = 'placeholder' | 'mention' | 'hand-off' | 'empty-variable'

/** Words that a placeholder stands for. A bracket with only such words is a placeholder. */
const nouns =
  'account|address|agent|amount|balance|bank|birthday|bonus|brand|campaign|card|casino|city|client|code|company|contact|country|currency|customer|date|day|deadline|deposit|description|details?|email|e-?mail|field|file|form|game|greeting|guest|handle|hours?|id|issue|item|language|link|manager|member|message|method|minutes?|month|name|nickname|nr|num|number|operator|order|password|payment|period|person|phone|placeholder|player|product|reason|recipient|ref|reference|room|salutation|sender|sign-?off|signature|site|status|surname|tbd|team|tel|text|ticket|time|title|todo|topic|transaction|transfer|txid|txn|url|user|username|value|variable|var|vip level|website|wallet|withdrawal|xxx+|year'
const qualifiers =
  'a|add|agent|an|brand|client|company|current|customer|enter|fill|first|full|given|guest|here|his|her|in|insert|last|member|my|new|of|our|paste|player|put|replace|see|short|specify|support|the|their|this|to|user|with|your'
const inLatin = String.raw`(?:(?:${qualifiers}|${nouns})(?:['’]?s)?[\s_./-]+){0,5}(?:${nouns})(?:['’]?s)?(?:[\s_]+here)?`
const inCamel =
  '(?:customer|client|user|player|member|first|last|full|agent|account|display|ticket|order|your)(?:Name|Id|Number|Email|Account|Date|Amount)'
const addressee = '客戶|客户|玩家|會員|会员|用戶|用户|使用者|顧客|顾客|貴賓|贵宾|收件人|客人|您|你|對方|对方'
const which =
  '名稱|名称|姓名|名字|大名|暱稱|昵称|稱呼|称呼|帳號|账号|帐号|帳戶|账户|金額|金额|日期|時間|时间|訂單|订单|訂單號碼?|订单号码?|訂單編號|订单编号|單號|单号|工單號?碼?|工单号?码?|連結|链接|網址|网址|電話|电话|手機|手机|信箱|郵箱|邮箱|地址|編號|编号|號碼|号码|原因|內容|内容|銀行|银行|遊戲|游戏|客服|專員|专员|幣種|币种|餘額|余额'
const inHan = String.raw`(?:[請请]?(?:在此|於此)?(?:填寫|填写|填入|填上|輸入|输入|插入|替換|替换|寫上|写上))?(?:(?:${addressee})的?)?(?:${which})|(?:[請请]?(?:在此|於此)?(?:填寫|填写|填入|填上|插入|替換|替换))[^\n\]]{0,12}|(?:${addressee})`
/** A bracket with an instruction is a placeholder too. */
const toDo = String.raw`(?:insert|fill in|put|paste|replace|add)\b[^\]\n]{0,60}`

const placeholders: readonly RegExp[] = [
  /\{\{[^{}]*\}\}|\{%[^%}]{0,80}%\}|\{\{\{[^{}]*\}\}\}/g,
  // One name or number in braces; not JSON, which has quotes or nothing in them.
  /[#$]?\{[ \t]*(?:[\p{L}_][\p{L}\p{N}_.-]*(?:[ \t][\p{L}\p{N}_.-]+){0,3}|\d{1,2})[ \t]*\}/gu,
  // If a link follows, the bracket is its text.
  new RegExp(String.raw`\[[ \t]*(?:${inLatin}|${inCamel}|${toDo}|x{2,}|_{2,})[ \t]*\](?![(:])`, 'giu'),
  new RegExp(String.raw`[[［][ \t]*(?:${inHan})[ \t]*[\]］](?!\()`, 'gu'),
  // Such brackets are also headings: they are placeholders only in a salutation.
  new RegExp(
    String.raw`【[ \t]*(?:${inHan})[ \t]*】(?=[ \t]*(?:您好|你好|先生|小姐|女士|，|,))|(?<=(?:親愛的|亲爱的|尊敬的|敬愛的)[ \t]*)【[^】\n]{1,20}】`,
    'gu',
  ),
  new RegExp(String.raw`(?:<<|<|＜)[ \t]*(?:${inLatin}|${inCamel}|${toDo}|${inHan}|x{2,})[ \t]*(?:>>|>|＞)`, 'giu'),
  new RegExp(String.raw`(?<=\b(?:dear|hi|hello|hey)[ \t]+)\((?:${inLatin}|${inCamel})\)`, 'giu'),
  /(?<![\p{L}\p{N}%])%[A-Za-z][A-Za-z_]*[A-Za-z]%(?![\p{L}\p{N}%])|(?<![\p{L}\p{N}%])%(?:\(\w+\)[sd]|[sd](?![A-Za-z\p{N}]))/gu,
  /(?<![\w*])__[A-Z][A-Z0-9_]*[A-Z0-9]__(?!\w)|\*\|[A-Z_:]+\|\*/g,
  // A masked number has its other digits next to it.
  /(?<![A-Za-z0-9*•.-]|\d )(?:X{3,}|x{3,})(?![A-Za-z0-9*•]|[ -][Xx\d*•])/g,
  /(?<![A-Za-z0-9])X{2,}(?=[ \t]*(?:先生|小姐|女士|您好|你好|客戶|客户))|[○◯]{2,}|某某(?:某|先生|小姐|女士)?/g,
  /(?<![\w-])(?:TODO|FIXME|TBD|TBC|TKTK)(?![\w-])|\bto-?do:/g,
  /\b(?:INSERT|ENTER|PUT|ADD|YOUR|CUSTOMER)(?:[ _][A-Z]+){0,4}[ _](?:HERE|NAME)\b/g,
  /\blorem[ \t]+ipsum\b|[待請请](?:補上|补上|填寫處|填写处)|(?<=[（(])(?:待補|待补|待填|請填|请填)[^）)\n]{0,10}(?=[）)])/giu,
  // A blank to be filled in by hand; on a line of its own it is a separator.
  /(?<=[^\s_][ \t]*)_{3,}|(?<!_)_{3,}(?=[ \t]*[^\s_])/g,
]

const mentions: readonly RegExp[] = [
  // Not within a mail or web address.
  /(?<![\p{Script=Latin}\p{N}._%+/@＠-])[@＠][\p{L}_][\p{L}\p{N}_.-]{0,38}/gu,
  /<[@!#][A-Za-z0-9^|._ -]{2,60}>/g,
]

const parts = String.raw`[ \t_-]+`
const headings = [
  `internal(?:${parts}(?:notes?|memo|comments?|only|use(?:${parts}only)?|info(?:rmation)?|summary|remarks?|discussion|message))`,
  String.raw`hand[ \t-]?(?:off|over|ing${parts}over)(?:${parts}(?:notes?|summary|memo|comments?|to\b[^\n:：]{0,40}))?`,
  String.raw`escalation(?:${parts}(?:notes?|summary|reason|path|memo|to\b[^\n:：]{0,40}))?`,
  String.raw`(?:agents?|staff|team|support|shift|private|csr?|back[ \t-]?office|desk)${parts}(?:notes?|memo|only)`,
  String.raw`notes?${parts}(?:for|to)${parts}(?:(?:the|our|my)${parts})?(?:agents?|team|self|myself|staff|next${parts}(?:agent|shift)|colleagues?|support|supervisors?|managers?|back[ \t-]?office|risk|compliance|tier[ \t]*\d|l\d)`,
  `(?:for${parts})?internal${parts}use(?:${parts}only)?`,
  `(?:do${parts}not|don['’]t|never)${parts}(?:send|share|show|forward|tell)${parts}(?:(?:this|it|the${parts}(?:below|following|above))${parts})?(?:(?:to|with)${parts})?(?:(?:the|our)${parts})?(?:customer|client|player)s?`,
  'notas?[ \\t]+internas?|note[ \\t]+interne|interne[ \\t]+notiz|nota[ \\t]+per[ \\t]+il[ \\t]+team|übergabe(?:notiz)?|ghi[ \\t]+chú[ \\t]+nội[ \\t]+bộ|catatan[ \\t]+internal',
]
const headingsInHan = [
  '(?:內部|内部)(?:備註|备注|註記|注记|註解|筆記|笔记|說明|说明|訊息|讯息|消息|留言|使用|資料|资料|紀錄|記錄|记录|溝通|沟通|專用|专用|參考|参考)',
  '(?:交接|移交|轉交|转交)(?:事項|事项|備註|备注|紀錄|記錄|记录|內容|内容|說明|说明|單|单|班|訊息|(?:給|给)[^\\n:：]{1,20})?',
  '(?:客服|專員|专员|夜班|早班|晚班|主管)(?:備註|备注|註記|注记|交接)',
  '(?:升級|升级)(?:處理|处理)?(?:備註|备注|說明|说明|原因)',
  '(?:備註|备注)[（(]?(?:內部|内部)[)）]?',
  '社内(?:メモ|用|限り)|引き?継ぎ(?:メモ|事項)?|내부[ ]?(?:메모|노트|용)|인수인계|บันทึกภายใน',
]
const heading = String.raw`(?:(?:${headings.join('|')})(?![\p{Script=Latin}\p{N}])|${headingsInHan.join('|')})`
/** "Internal" and similar words occur in any sentence: alone on a line they are a heading. */
const alone = `(?:${heading}|internal|內部|内部)`
const ends = String.raw`[ \t]*[:：]?[ \t]*(?=\r?\n|$)`
const bullets = String.raw`[ \t]*(?:>[ \t]*)*(?:[-*•][ \t]+|\d+[.)][ \t]+)?`
const opening = String.raw`(?:\*{1,3}|_{1,3}|={2,}|[[(<【（［])[ \t]*`
const closing = String.raw`[ \t]*[:：]?[ \t]*(?:\*{1,3}|_{1,3}|={2,}|[\])>】）］])`

const handOffs: readonly RegExp[] = [
  // Marked as a heading, with any text on its line.
  new RegExp(String.raw`^${bullets}#{1,6}[ \t]*[*_]{0,2}(?:${heading}[^\n]*|${alone}${ends})`, 'gimu'),
  // Set off by marks or brackets.
  new RegExp(String.raw`^${bullets}${opening}(?:${alone}|${heading}[^\n*_=\])>】）］]{0,40})${closing}`, 'gimu'),
  // Followed by a colon or a dash, and perhaps an author.
  new RegExp(
    String.raw`^${bullets}(?:${alone}[ \t]*[:：]|${heading}[ \t]*(?:(?:by|from|at)\b|[(（#])[^\n:：]{0,40}[:：]|${heading}[ \t]*[–—]|${heading}[ \t]+-[ \t])`,
    'gimu',
  ),
  // On a line of its own.
  new RegExp(`^${bullets}${alone}${ends}`, 'gimu'),
  /\binternal[ \t-]+use[ \t-]+only\b|\bnot[ \t]+for[ \t]+(?:the[ \t]+)?(?:customer|client)s?\b(?=[ \t]*(?:[.:!)\]\n]|$))/gi,
  /(?<![個个特分區区])(?:請勿|请勿|不要|勿|別|别)(?:轉發|转发|發送|发送|發|发|轉|转|傳|传|告訴|告诉|透露)(?:給|给)?(?:客戶|客户)/g,
]

/** An empty variable leaves a greeting without a name, or a program's word for nothing. */
const gaps: readonly RegExp[] = [
  /\b(?:dear|hi|hello|hey)[ \t]*(?=,|!|$)(?<=(?:dear|hi|hello|hey)[ \t]+)/giu,
  /\b(?:dear)[ \t]*(?=[,，:：!])|(?:尊敬的|敬愛的|敬爱的)[ \t]*(?=[，,：:！!])/giu,
  // "Null and void" occurs in every casino's rules, and Nan is a name.
  /\bnull\b(?![ \t]+(?:and|&)[ \t]+void)|\bundefined\b|\[object Object\]|\bInvalid Date\b/gu,
  /(?<![A-Za-z])NaN(?![A-Za-z])/g,
]

export interface Leftover {
  readonly rule: LeftoverRule
  readonly match: string
  readonly at: number
}

const kinds: readonly (readonly [LeftoverRule, readonly RegExp[]])[] = [
  ['placeholder', placeholders],
  ['mention', mentions],
  ['hand-off', handOffs],
  ['empty-variable', gaps],
]

/** Returns all leftovers, each once, in the order of the rules. */
export function leftoversIn(text: string): Leftover[] {
  return kinds.flatMap(([rule, forms]) => {
    const leftovers: (Leftover & { end: number })[] = []
    for (const form of forms)
      for (const { 0: whole, index } of text.matchAll(form))
        if (!leftovers.some(({ at, end }) => index < end && index + whole.length > at))
          leftovers.push({ rule, match: whole.trim(), at: index, end: index + whole.length })
    return leftovers.sort((a, b) => a.at - b.at)
  })
}
