const scriptsWithoutJoining = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}`
/** Letters and symbols that a joiner or a variation selector changes: those of scripts with joined letters, and emoji. */
const shaped = String.raw`[\p{Extended_Pictographic}[[\p{L}\p{M}]--[${scriptsWithoutJoining}\p{Default_Ignorable_Code_Point}]]]`
const emojiStyles = String.raw`[\ufe0e\ufe0f\p{Emoji_Modifier}]`
const joiner = String.raw`[\u200c\u200d]`
const selector = String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`

/**
 * Characters without a glyph: control characters other than white space, marks of direction, soft hyphens, spaces without width, and
 * joiners and variation selectors where they change nothing.
 */
export const invisible = new RegExp([
  String.raw`[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufff9-\ufffb]`,
  String.raw`[\p{Default_Ignorable_Code_Point}--[${joiner}${selector}]]`,
  `(?<!${shaped})${selector}`,
  `(?<!${shaped}${emojiStyles}?)${joiner}`,
  `${joiner}(?!${shaped})`
].join('|'), 'gv')
