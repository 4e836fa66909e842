'use strict'

const phrases = Object.entries(require('./banned-phrases.json'))

/** Prose of the Markdown files, for `npm run lint`. Code and code blocks are exempt. */
module.exports = {
  rules: {
    // Characters: about 30 words.
    'sentence-length': { max: 180 },
    '@textlint-rule/pattern': {
      patterns: [
        ...phrases.map(([phrase, better]) => ({
          pattern: `/\\b${phrase.replaceAll(' ', '\\s+')}\\b/i`,
          message: `Do not write "${phrase}". Write: ${better}.`
        })),
        { pattern: '/\\brather(\\s+\\S+){1,8}\\s+than\\b/i', message: 'Do not write "rather … than". Write: "instead of", or two sentences.' },
        { pattern: '/\\b([a-z]+)\\s+\\1\\b/i', message: 'The word is repeated.' }
      ]
    }
  }
}
