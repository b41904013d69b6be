const OPEN = '「『“"‘';
const CLOSE = '」』”"’';
const quoted = `[${OPEN}]([^${OPEN}${CLOSE}\\n]+)[${CLOSE}]`;
const ABOUT = '(?:全书|全文|整本书|所有章节?|每一?章|正文)?(?:里|中)?的?(?:所有|全部|每一处)?的?';
const patterns: readonly RegExp[] = [
  new RegExp(`^\\s*请?(?:把|将)?${ABOUT}${quoted}(?:这个词|一词|这两个字|二字)?(?:都|全|全部|统一|一律)*(?:改成|改为|改作|换成|换为|替换成|替换为)${quoted}[。.！!]?\\s*$`, 'u'),
  new RegExp(`^\\s*请?(?:把|将)?${ABOUT}${quoted}(?:都|全|全部|一律)*(?:删掉|删去|删除|去掉)[。.！!]?\\s*$`, 'u'),
  new RegExp(`^\\s*(?:please\\s+)?(?:change|replace)\\s+(?:every\\s+|all\\s+)?${quoted}\\s+(?:to|with|by|into)\\s+${quoted}(?:\\s+(?:everywhere|throughout|in the whole book|in every chapter))?[.!]?\\s*$`, 'iu'),
];

/** The words that are to be replaced, when that is all an instruction asks for: then a chapter without them has nothing to change. */
export function literalOf(instruction: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(instruction)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
