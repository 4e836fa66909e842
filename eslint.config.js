import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

/** Layers of the code. Imports point downwards: a layer imports from those after it. */
const layers = ['cli', 'routes', 'plugins', 'server', 'domain', 'resources', 'auth', 'limits', 'database', 'http', 'client']

/** Forbids a layer to import from those before it. */
const directions = layers.slice(1).map((layer, index) => ({
  name: `obra/imports-of-${layer}`,
  files: [['routes', 'plugins'].includes(layer) ? `${layer}/**` : `src/${layer}/**`],
  rules: {
    'no-restricted-imports': ['error', {
      patterns: [{ regex: `^(\\.\\./)+(src/)?(${layers.slice(0, index + 1).join('|')})/`, message: `Imports point downwards: ${layers.join(', ')}.` }]
    }]
  }
}))

export default [
  ...neostandard({
    ts: true,
    // Generated.
    ignores: [...resolveIgnoresFromGitignore(), 'src/client/api.d.ts']
  }),
  {
    name: 'obra/type-imports',
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }]
    }
  },
  ...directions,
  {
    // Nest takes from the types of a constructor what to inject: their imports are values.
    name: 'obra/nest',
    files: ['bench/peers/nestjs-typeorm/**/*.ts'],
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } }
  }
]
