import js from '@eslint/js';
import globals from 'globals';

const ours = { courseCards: 'readonly', courseKit: 'readonly' };
const libraries = {
  Reveal: 'readonly',
  RevealNotes: 'readonly',
  Stemmer: 'readonly',
  MathJax: 'readonly'
};

export default [
  js.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, ...ours, ...libraries },
      sourceType: 'module'
    },
    // An empty statement would lose its semicolon when a notebook's scripts are squeezed.
    rules: { 'no-restricted-syntax': ['error', 'EmptyStatement'] }
  },
  { files: ['scripts/*.js'], languageOptions: { globals: globals.node } },
  // Sphinx looks for this name.
  { files: ['scripts/exporting/pages/scorer.js'], rules: { 'no-unused-vars': 'off' } }
];
