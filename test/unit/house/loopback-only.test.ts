import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { targetOf } from '../../setup/loopback-only';

test('a test cannot reach another host by socket or by fetch', async () => {
  expect(() => net.connect(80, '192.0.2.1')).toThrow('only loopback');
  expect(() => net.connect({ host: 'example.invalid', port: 443 })).toThrow('only loopback');
  await expect(fetch('http://192.0.2.1/')).rejects.toThrow();
});

test('a test reaches this machine', async () => {
  const server = http.createServer((_, response) => void response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('here');
  } finally {
    server.close();
  }
});

test('the target of a connection is read from every form of the call', () => {
  expect(targetOf([80, 'a.example']).host).toBe('a.example');
  expect(targetOf([{ host: 'b.example', port: 1 }]).host).toBe('b.example');
  expect(targetOf([[{ host: 'c.example', port: 1 }, null]]).host).toBe('c.example');
  expect(targetOf(['/run/socket']).path).toBe('/run/socket');
  expect(targetOf([80]).host).toBeUndefined();
});

test('tests see one clock face', () => {
  expect(new Date('2026-01-01T00:00:00Z').getHours()).toBe(8);
});
