/**
 * Named colors of CSS Color Module Level 4, section 6.1. Excludes words such as `transparent` and `inherit`: a button
 * needs a color.
 */
const names = new Set(
  (
    'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue ' +
    'chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey ' +
    'darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray ' +
    'darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen ' +
    'fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki ' +
    'lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen ' +
    'lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime ' +
    'limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue ' +
    'mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive ' +
    'olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum ' +
    'powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue ' +
    'slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke ' +
    'yellow yellowgreen'
  ).split(' '),
)

const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)`
const alpha = `${number}%?`
/** Three components with an optional alpha, in the old syntax with commas and the new one with spaces. */
const components = (first: string, other: string) =>
  `(?:${first}\\s*,\\s*${other}\\s*,\\s*${other}(?:\\s*,\\s*${alpha})?|${first}\\s+${other}\\s+${other}(?:\\s*/\\s*${alpha})?)`
const spelled = new RegExp(
  `^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|rgba?\\(\\s*(?:${components(number, number)}|${components(`${number}%`, `${number}%`)})\\s*\\)` +
    `|hsla?\\(\\s*${components(`${number}(?:deg|grad|rad|turn)?`, `${number}%`)}\\s*\\))$`,
  'i',
)

const noOpacity = String.raw`(?:-[\d.]+|\+?0*\.?0*)%?`
/** Colors without opacity, as invisible as `transparent`. */
const invisible = new RegExp(
  `^(?:#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)|[a-z]+\\((?:(?:[^,]*,){3}|[^/]*/)\\s*${noOpacity}\\s*\\))$`,
  'i',
)

/** Spellings that `isColor` accepts, for messages. */
export const colorSpellings =
  'a CSS color name, #rgb, #rgba, #rrggbb, #rrggbbaa, rgb() or hsl(), with an opacity above 0'

/** Returns whether a browser reads the text as a color that the widget can use. */
export function isColor(text: string): boolean {
  return names.has(text.toLowerCase()) || (spelled.test(text) && !invisible.test(text))
}
