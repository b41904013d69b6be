/**
 * Every text the numbers view shows, by key, in English; translated and sent by the host like the chat's. `{0}`, `{1}` are filled in by the
 * view, keys ending in `.one` and `.other` are plural forms.
 */
export const numbersStrings = {
  'numbers.connecting': 'Counting…',
  'numbers.counting': 'Counting checkpoints: {0} of {1}',
  'numbers.none': 'Once there is a project, what you write is counted here.',
  'numbers.lost.one': 'The texts of {0} checkpoint were cleaned up before they were counted.',
  'numbers.lost.other': 'The texts of {0} checkpoints were cleaned up before they were counted.',
  'numbers.what': 'What counts',
  'numbers.whatText':
    'Written words come from checkpoints and from what you have not saved yet. Text that only moves, to another place or chapter, counts nothing; neither do restores, undone turns and books that were brought in. What you delete is not subtracted, what you rewrite counts. Notes and outlines do not count.',

  'numbers.today': 'Today',
  'numbers.words.one': '{0} word',
  'numbers.words.other': '{0} words',
  'numbers.ofTarget': '{0} of {1} words',
  'numbers.reached': 'Target reached',
  'numbers.setTarget': 'Daily target…',
  'numbers.split': 'You {0} · agent {1}',

  'numbers.who': 'Whose words',
  'numbers.who.both': 'Both',
  'numbers.who.user': 'You',
  'numbers.who.agent': 'Agent',

  'numbers.week': 'This week',
  'numbers.month': 'This month',
  'numbers.year': 'This year',
  'numbers.all': 'In all',
  'numbers.book': 'Book',
  'numbers.streak': 'In a row',
  'numbers.days.one': '{0} day',
  'numbers.days.other': '{0} days',
  'numbers.longest': 'longest {0}',

  'numbers.map': 'Words written in {0}',
  'numbers.previousYear': 'The year before',
  'numbers.nextYear': 'The year after',
  'numbers.dayNothing': '{0}: nothing',
  'numbers.day': '{0}: {1}',
  'numbers.daySplit': '{0}: {1} (you {2}, agent {3})',
  'numbers.dayFuture': '{0}: to come',
  'numbers.less': 'Less',
  'numbers.more': 'More',
  'numbers.level0': 'Nothing',
  'numbers.level': '{0} words and more',

  'numbers.chapters': 'Chapters',
  'numbers.noChapters': 'No chapter yet',
  'numbers.chapterOf': '{0} / {1}',
  'numbers.openChapter': 'Open {0}: {1}',
  'numbers.openChapterOf': 'Open {0}: {1} of {2} words',
  'numbers.export': 'Export as CSV…',
} as const;

export type NumbersStringKey = keyof typeof numbersStrings;
