/** The smallest sound spec, as text and as an object. Lines 1 to 6. */
export const SMALL = `name: small
requirements: do it
driver: { uses: mock }
evaluators:
  - uses: command
    options: { command: 'true' }
`;

export const small = (more: Record<string, unknown> = {}) => ({
  name: 'small',
  requirements: 'do it',
  driver: { uses: 'mock' },
  evaluators: [{ uses: 'command', options: { command: 'true' } }],
  ...more,
});
