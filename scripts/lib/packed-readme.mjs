/** Links and pictures that lead to files of the repository, which the package does not hold. */
const picture = /^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+/gm;
const link = /\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g;

const alone = (text) => text.replace(picture, '').replace(link, '$1');

/**
 * The README that the package shows in the extension's page: the English one, then the Chinese one, without pictures and links that
 * lead nowhere there.
 */
export function packedReadme(english, chinese) {
  const switcher = (text, other) => text.replace(`[${other.label}](${other.file})\n\n`, '');
  const en = alone(switcher(english, { label: '简体中文', file: 'README.zh-CN.md' }));
  const zh = alone(switcher(chinese, { label: 'English', file: 'README.md' }));
  return `${en.trimEnd()}\n\n---\n\n${zh.trimEnd()}\n`;
}
