import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Test files start many processes of their own; more files at once only wait for one another.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // The command line is tested from outside, as a process.
      exclude: ['src/cli/**'],
      thresholds: { lines: 90, branches: 85 },
    },
  },
});
