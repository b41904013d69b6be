import path from 'node:path';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { root } from './scripts/lib/paths.mjs';
import { refusal } from './scripts/lib/import-table.mjs';

/**
 * The import table as a rule: reports an import that the architecture forbids.
 * @type {import('eslint').Rule.RuleModule}
 */
const importTable = {
  meta: { type: 'problem', schema: [], messages: { refused: 'Import table: {{why}}.' } },
  create(context) {
    const from = path.relative(root, context.filename).replaceAll('\\', '/');
    const check = (node, source) => {
      if (typeof source?.value !== 'string') return;
      const name = source.value;
      const local = name.startsWith('.');
      const to = local ? path.posix.normalize(path.posix.join(path.posix.dirname(from), name)) : name;
      const why = refusal(from, to, !local);
      if (why !== undefined) context.report({ node, messageId: 'refused', data: { why } });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source ?? node.argument?.literal),
    };
  },
};

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'No default exports: name what you export.',
};
const emptyCatch = {
  selector: 'CatchClause > BlockStatement[body.length=0]',
  message: 'A caught error is handled, returned or told; never dropped.',
};
const barrel = {
  selector: 'ExportAllDeclaration',
  message: 'No barrels: import from the file that defines it.',
};

const plainMistakes = {
  eqeqeq: 'error',
  'for-direction': 'error',
  'no-async-promise-executor': 'error',
  'no-compare-neg-zero': 'error',
  'no-cond-assign': 'error',
  'no-control-regex': 'error',
  'no-debugger': 'error',
  'no-dupe-else-if': 'error',
  'no-duplicate-case': 'error',
  'no-empty-character-class': 'error',
  'no-fallthrough': 'error',
  'no-irregular-whitespace': ['error', { skipStrings: true, skipTemplates: true, skipRegExps: true, skipComments: true }],
  'no-loss-of-precision': 'error',
  'no-misleading-character-class': 'error',
  'no-self-compare': 'error',
  'no-unsafe-finally': 'error',
  'no-useless-backreference': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
};

export default defineConfig(
  { ignores: ['node_modules/', 'dist/', 'out/', '.vscode-test/', 'test/e2e/out/', 'bench/node_modules/', 'test/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.mts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    plugins: { liyuan: { rules: { 'import-table': importTable } } },
    rules: {
      'liyuan/import-table': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, emptyCatch, barrel],
      'no-empty': ['error', { allowEmptyCatch: false }],
      ...plainMistakes,
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      // Numbers read well in messages; the rest of the rule stays.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `() => void one()` and `() => set.add(x)` are how listeners are written here.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // Doubles and no-op ports need empty functions.
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Factories take ports apart: `const { files } = deps`. Their methods use no `this`.
      '@typescript-eslint/unbound-method': 'off',
      // `'now' | string` tells the reader what the string may be.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      // "Check the signal after each await" looks unnecessary to it, since it believes a field cannot change meanwhile.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Code points are what is wanted of a string.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // The toolkit is deprecated as a whole; webview/shared/controls.ts is the one file that knows it.
      '@typescript-eslint/no-deprecated': 'off',
      // Disposables are made as plain objects here, enum values read from typed arrays, unknown causes told by String().
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // A port may promise although one of its implementations is synchronous.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/protocol/**/*.ts', 'src/engine/**/*.ts', 'src/extension/**/*.ts', 'webview/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'error', 'no-console': 'error' },
  },
  // A webview has no log but its console, which the developer tools show.
  { files: ['webview/**/*.ts'], rules: { 'no-console': ['error', { allow: ['warn', 'error'] }] } },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
  { files: ['*.config.mts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.base],
    rules: { ...plainMistakes, 'no-restricted-syntax': ['error', emptyCatch] },
  },
);
