import { defineConfig } from 'vitest/config';

// Tests see the same clock face and language everywhere; workers inherit these.
process.env.TZ = 'Asia/Shanghai';
process.env.LC_ALL = 'en_US.UTF-8';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/webview/**/*.test.ts', 'test/chaos/**/*.test.ts'],
    setupFiles: ['test/setup/loopback-only.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    retry: 0,
    restoreMocks: true,
  },
});
