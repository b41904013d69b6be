import type { UsageRow } from '../../src/protocol/usage';
import type { UsageStringKey } from '../../src/protocol/usage-strings';
import { moneyWords } from '../shared/format';
import type { Translator } from '../shared/strings';

type Words = Translator<UsageStringKey>;

/** A column of the list of calls: what its rows are sorted by, and what they show. */
export interface Column {
  readonly key: 'time' | 'model' | 'use' | 'input' | 'cached' | 'output' | 'reasoning' | 'cost' | 'first' | 'whole' | 'speed' | 'retries' | 'outcome';
  /** Sorted by size, largest first at the first press; else by name. */
  readonly numeric: boolean;
  readonly value: (row: UsageRow) => number | string | undefined;
  readonly text: (row: UsageRow, words: Words) => string;
}

const figure = (key: Column['key'], value: (row: UsageRow) => number | undefined, text = (n: number, words: Words): string => words.number(n)): Column => ({
  key,
  numeric: true,
  value,
  text: (row, words) => {
    const n = value(row);
    return n === undefined ? '' : text(n, words);
  },
});

const seconds = (ms: number, words: Words): string => words.t('usage.seconds', words.number(Math.round(ms / 100) / 10));

const tokens = (key: 'input' | 'output'): Column => ({
  ...figure(key, (row) => row[key]),
  text: (row, words) => (row.estimated === true ? words.t('usage.about', words.number(row[key])) : words.number(row[key])),
});

export const modelName = ({ profile, model }: Pick<UsageRow, 'profile' | 'model'>): string => (profile === '' || profile === model ? model : `${profile} · ${model}`);

export const columns: readonly Column[] = [
  { ...figure('time', ({ at }) => at), text: ({ at }, words) => words.moment(at) },
  { key: 'model', numeric: false, value: modelName, text: modelName },
  { key: 'use', numeric: false, value: ({ use }) => use, text: ({ use }, words) => words.t(`usage.use.${use}`) },
  tokens('input'),
  figure('cached', ({ cached }) => cached),
  tokens('output'),
  figure('reasoning', ({ reasoning }) => reasoning),
  { ...figure('cost', ({ cost }) => cost), text: ({ cost, currency }) => (cost === undefined || currency === undefined ? '' : moneyWords(cost, currency)) },
  figure('first', ({ firstMs }) => firstMs, seconds),
  figure('whole', ({ ms }) => ms, seconds),
  figure('speed', ({ speed }) => speed, (n, words) => words.number(Math.round(n * 10) / 10)),
  figure('retries', ({ retries }) => retries),
  { key: 'outcome', numeric: false, value: ({ outcome }) => outcome, text: ({ outcome }) => outcome },
];

export interface Sorting {
  readonly key: Column['key'];
  readonly descending: boolean;
}

/** Rows in another order; rows without a value come last either way, equal ones stay as they were. */
export function sorted(rows: readonly UsageRow[], { key, descending }: Sorting): readonly UsageRow[] {
  const column = columns.find((one) => one.key === key);
  if (column === undefined) return rows;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    return descending ? -order : order;
  });
}

/** After a press on a column's head: that column, and the other way round when it was that one already. */
export const pressed = (before: Sorting, column: Column): Sorting => ({ key: column.key, descending: before.key === column.key ? !before.descending : column.numeric });
