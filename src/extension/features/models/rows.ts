import type { QuickPickItem } from 'vscode';

/** A row that says something about the list or about what was typed; choosing it does nothing. */
export interface Remark {
  readonly label: string;
  readonly detail: string;
}

export interface RemarkRow extends QuickPickItem {
  readonly remark: true;
}

export interface RowSource<I extends QuickPickItem> {
  readonly items: readonly I[];
  /** What typed words stand for. */
  readonly typed?: (text: string) => I | undefined;
  /** What is wrong with typed words that stand for nothing. */
  readonly wrong?: (text: string) => Remark | undefined;
  /** What is to be said whatever is typed. */
  readonly note?: Remark | undefined;
}

const remarkRow = ({ label, detail }: Remark): RemarkRow => ({ label: `$(info) ${label}`, detail, alwaysShow: true, remark: true });

export const isRemark = (row: QuickPickItem): row is RemarkRow => 'remark' in row;

/**
 * The rows of a list for what is typed in its box: what the words stand for comes first, so that Enter takes it. (VS Code sorts rows
 * by how well their labels match; for the typed one to stay first its label is best the text itself.)
 */
export function rowsFor<I extends QuickPickItem>(value: string, { items, typed, wrong, note }: RowSource<I>): readonly (I | RemarkRow)[] {
  const text = value.trim();
  const notes = note === undefined ? [] : [remarkRow(note)];
  if (text === '') return [...items, ...notes];
  const same = items.find((item) => item.label === text);
  const first = same ?? typed?.(text);
  if (first !== undefined) return [{ ...first, alwaysShow: true }, ...items.filter((item) => item !== same), ...notes];
  const found = items.some((item) => item.label.toLowerCase().includes(text.toLowerCase()));
  const problem = found ? undefined : wrong?.(text);
  return [...(problem === undefined ? [] : [remarkRow(problem)]), ...items, ...notes];
}
