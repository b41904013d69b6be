import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { hostFetch } from '../../src/extension/ports/fetch';

suite('the fetch that model calls use', () => {
  test('goes through the proxy that is set in VS Code', async () => {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"data":[{"id":"through the proxy"}]}');
    });
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
    const http = vscode.workspace.getConfiguration('http');
    try {
      await http.update('proxy', `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`, vscode.ConfigurationTarget.Global);
      // Whether the proxy lets it through does not matter: nobody has this name.
      await hostFetch('http://model.invalid/v1/models').then(async (response) => response.text(), () => undefined);
      assert.ok(asked.some((url) => url.includes('model.invalid')), `the proxy was asked for ${JSON.stringify(asked)}`);
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});
