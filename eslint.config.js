import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

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
  {
    // Nest takes from the types of a constructor what to inject: their imports are values.
    name: 'obra/nest',
    files: ['bench/peers/nestjs-typeorm/**/*.ts'],
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } }
  }
]
