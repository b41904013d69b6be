import { describe, expect, test } from 'vitest';
import { webviewPage } from '../../../../src/extension/webviews/html';

describe('the page of a webview', () => {
  const page = webviewPage({ cspSource: 'vscode-resource:', nonce: 'abc', script: 'x.js', styles: [{ href: 'a.css', id: 'one' }], locale: 'zh-cn', element: 'liyuan-chat' });

  test('allows scripts and styles by nonce only', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    expect(policy).toBe("default-src 'none'; script-src 'nonce-abc'; style-src vscode-resource: 'nonce-abc'; font-src vscode-resource:; img-src vscode-resource: data:");
    expect(page).toContain('<meta property="csp-nonce" content="abc">');
    expect(page).toContain('<script type="module" nonce="abc" src="x.js"></script>');
    expect(page).not.toMatch(/unsafe/);
  });

  test('keeps the quotes of a source that has its own', () => {
    const own = webviewPage({ cspSource: "'self' https://*.example", nonce: 'n', script: '', styles: [], locale: 'en', element: 'x-y' });
    expect(own).toContain("style-src 'self' https://*.example 'nonce-n'");
  });

  test('escapes what it is given', () => {
    expect(webviewPage({ cspSource: '', nonce: 'n', script: '"><script>', styles: [], locale: 'en', element: 'x-y' })).toContain('src="&quot;&gt;&lt;script&gt;"');
  });
});
