// Who may import whom (the import table of the architecture), as data and one pure function. ESLint enforces it in the
// editor and in `npm run lint`; test/unit/structure proves that it can refuse.

const base = ['ports', 'text', 'store'];
const tree = [...base, 'project', 'session', 'manuscript'];
const world = [...tree, 'ledger', 'memory', 'summary', 'lore'];

/** Room inside src/engine -> rooms it may import besides itself. A room that is not here may import nothing. */
export const rooms = {
  ports: [],
  text: ['ports'],
  store: ['ports', 'text'],
  project: base,
  session: [...base, 'project'],
  manuscript: [...base, 'project'],
  review: [...base, 'project', 'manuscript'],
  model: base,
  prose: base,
  ledger: tree,
  memory: tree,
  summary: tree,
  lore: tree,
  prompt: [...world, 'review'],
  tools: [...world, 'prompt', 'review'],
  turn: [...world, 'prompt', 'review', 'tools'],
  usage: [...base, 'prompt'],
  jobs: [...tree, 'review', 'prompt', 'turn'],
  publish: [...world, 'model', 'prose', 'prompt', 'tools'],
};

/** Files of src/engine that stand above the rooms: the façade's contract, the composition root, the door. */
const roofs = ['engine', 'compose', 'index'];

/** Where a file stands: `{part, room?, app?}`; part is `engine`, `extension`, `protocol`, `webview` or the first folder. */
function placeOf(file) {
  const parts = file.split('/');
  if (parts[0] === 'src') {
    const [, part = '', room = ''] = parts;
    if (part === 'engine' && parts.length === 3) return { part, roof: room.replace(/\.ts$/, '') };
    return { part, room };
  }
  if (parts[0] === 'webview') return { part: 'webview', app: parts[1] ?? '' };
  return { part: parts[0] ?? '' };
}

function refuseEngine(from, to) {
  if (to.part !== 'engine') return `the engine must not import ${to.part}`;
  if (from.roof !== undefined) return undefined;
  if (to.roof !== undefined) return `the rooms of the engine must not import engine/${to.roof}: it stands above them`;
  if (from.room === to.room) return undefined;
  const allowed = rooms[from.room];
  if (allowed === undefined) return `engine/${from.room} is not in the import table`;
  if (!allowed.includes(to.room)) return `engine/${from.room} must not import engine/${to.room} (allowed: ${allowed.join(', ') || 'nothing'})`;
  return undefined;
}

/** A feature may be taken out of the array in `activate.ts` and the rest still stands: nobody else imports from it. */
function refuseFeature(from, to) {
  const feature = /^src\/extension\/features\/([^/]+)/;
  const target = feature.exec(to)?.[1];
  const source = feature.exec(from)?.[1];
  if (target === undefined || source === target || /^src\/extension\/activate(\.ts)?$/.test(from)) return undefined;
  return source === undefined
    ? `only activate.ts imports features: what ${to} shares belongs beside them`
    : `the feature ${source} must not import the feature ${target}: what both use belongs beside them`;
}

/**
 * Why `from` must not import `to`, or undefined when it may. Both are paths from the root of the repository with `/`, without
 * or with extension; `to` may be a package name when `isPackage`.
 */
export function refusal(from, to, isPackage = false) {
  const source = placeOf(from);
  if (isPackage) {
    if (to === 'vscode' && source.part !== 'extension' && source.part !== 'test') return 'only the extension may import vscode';
    if (source.part === 'webview' && to.startsWith('node:')) return 'a webview has no Node built-ins';
    if (source.part === 'protocol' && to !== 'zod') return 'the protocol imports zod and nothing else';
    if (source.part === 'engine' && /^(lit|dompurify|@vscode\/webview-ui-toolkit)($|\/)/.test(to)) return `the engine must not import ${to}`;
    return undefined;
  }
  const target = placeOf(to);
  switch (source.part) {
    case 'engine':
      return refuseEngine(source, target);
    case 'protocol':
      return target.part === 'protocol' ? undefined : `the protocol must not import ${target.part}`;
    case 'webview':
      if (target.part === 'protocol') return undefined;
      if (target.part !== 'webview') return `a webview must not import ${target.part}`;
      return target.app === 'shared' || target.app === source.app ? undefined : `webview/${source.app} must not import webview/${target.app}`;
    case 'extension':
      if (target.part === 'extension') return refuseFeature(from, to);
      if (target.part === 'engine') return target.roof === 'index' ? undefined : 'the extension reaches the engine only through engine/index';
      return target.part === 'protocol' ? undefined : `the extension must not import ${target.part}`;
    default:
      return undefined;
  }
}

/** Whether the engine file names are roofs that exist in the table (kept here so that tests can ask). */
export const engineRoofs = roofs;
