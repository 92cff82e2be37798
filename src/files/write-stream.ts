import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { silentPipe, systemCode } from "./file-problem";

const { O_WRONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const TIMEOUT_MS = 60_000;
const POLL_MS = 5;

/**
 * Writes text to a pipe or a device that a user named, such as `>(command)` or `/dev/stdout`.
 *
 * @throws FileProblem if the other end reads nothing for a minute; the system's error if there is no other
 * end
 */
export async function writeStream(file: string, text: string, timeoutMs = TIMEOUT_MS): Promise<void> {
  const bytes = Buffer.from(text);
  const handle = await open(file, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  try {
    let lastWrite = performance.now();
    for (let done = 0; done < bytes.length; ) {
      try {
        done += (await handle.write(bytes, done)).bytesWritten;
        lastWrite = performance.now();
      } catch (problem) {
        if (systemCode(problem) !== "EAGAIN") throw problem;
        if (performance.now() - lastWrite > timeoutMs) throw silentPipe("read from", timeoutMs);
        await pause(POLL_MS);
      }
    }
  } finally {
    await handle.close();
  }
}
