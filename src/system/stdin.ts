import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A descriptor that reads `text`, from a file that is unlinked already. Unlike a pipe it never blocks, breaks or
 * stays open: a command may ignore it, close it, or open it again as `/dev/stdin`. Whoever takes it closes it.
 */
export function inputDescriptor(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'loopgen-input-'));
  try {
    const file = join(folder, 'stdin');
    const fd = openSync(file, 'wx+', 0o600);
    try {
      writeFileSync(fd, text);
      return openSync(file, 'r');
    } finally {
      closeSync(fd);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
