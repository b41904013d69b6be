import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The repository's root; vitest runs there. */
const root = process.cwd();

export function readText(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}

export function readJson<T>(file: string): T {
  return JSON.parse(readText(file)) as T;
}

export function exists(file: string): boolean {
  return fs.existsSync(path.join(root, file));
}

/** TypeScript files under these folders, as paths from the root with `/`, sorted. */
export function sourceFiles(...folders: readonly string[]): readonly string[] {
  return folders.filter(exists).flatMap((folder) =>
    fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)).sort();
}

const parsed = new Map<string, ts.SourceFile>();

/** Syntax of a file of the repository; read and parsed once. */
export function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2023, true);
  parsed.set(file, source);
  return source;
}

const nodes = new WeakMap<ts.SourceFile, readonly ts.Node[]>();

/** Every node of a file, depth first. */
export function nodesOf(source: ts.SourceFile): readonly ts.Node[] {
  const known = nodes.get(source);
  if (known !== undefined) return known;
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  nodes.set(source, found);
  return found;
}

/** Texts of all string literals; of templates, the part before the first `${`. */
export function stringsOf(source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) found.push(node.head.text);
  }
  return found;
}

/** First arguments of calls of a function or method with this name, when they are literals. */
export function firstArguments(source: ts.SourceFile, name: string): readonly string[] {
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    if (!ts.isCallExpression(node)) continue;
    const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
    const first = node.arguments[callee === name && node.arguments[0]?.getText() === 'host' ? 1 : 0];
    if (callee !== name || first === undefined) continue;
    for (const literal of literalsIn(first)) found.push(literal);
  }
  return found;
}

/** `'a'`, or both sides of `x ? 'a' : 'b'`. */
function literalsIn(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  return [];
}

export interface Import {
  readonly name: string;
  /** Erased when compiled. */
  readonly typeOnly: boolean;
  /** `import('…')`: loaded when the program comes to it. */
  readonly lazy?: true;
}

/** Imports and re-exports; `import('…')` in code and in types too. */
export function importsOf(source: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ name: node.moduleSpecifier.text, typeOnly: node.importClause?.isTypeOnly === true });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ name: node.moduleSpecifier.text, typeOnly: node.isTypeOnly });
    }
  }
  // Walking every node is dear; few files import in passing.
  if (!/\bimport\s*\(/.test(source.text)) return found;
  for (const node of nodesOf(source)) {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) found.push({ name: argument.text, typeOnly: false, lazy: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ name: node.argument.literal.text, typeOnly: true });
    }
  }
  return found;
}

/** The file a relative import means, as a path from the root; undefined for packages. */
export function resolveImport(from: string, name: string): string | undefined {
  if (!name.startsWith('.')) return undefined;
  const base = path.posix.normalize(path.posix.join(path.posix.dirname(from), name));
  return [base, `${base}.ts`, `${base}/index.ts`].find((file) => /\.\w+$/.test(file) && exists(file)) ?? base;
}
