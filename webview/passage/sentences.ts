/** Sentences of a text, each with the marks, quotes and line ends behind it: joined they are the text. */
export function sentencesOf(text: string): readonly string[] {
  return text.match(/[^。！？!?…\n]*(?:[。！？!?…]+[”’」』）)"']*\n*|\n+|$)/g)?.filter((part) => part !== '') ?? [];
}

/** Runs of a text cut at the ends of its sentences. */
export function cutRuns<T extends { readonly text: string }>(runs: readonly T[], sentences: readonly string[]): readonly (readonly T[])[] {
  const left = [...runs];
  return sentences.map((sentence) => {
    const own: T[] = [];
    let wanted = sentence.length;
    while (wanted > 0) {
      const run = left.shift();
      if (run === undefined) break;
      if (run.text.length <= wanted) own.push(run);
      else {
        own.push({ ...run, text: run.text.slice(0, wanted) });
        left.unshift({ ...run, text: run.text.slice(wanted) });
      }
      wanted -= Math.min(wanted, run.text.length);
    }
    return own;
  });
}
