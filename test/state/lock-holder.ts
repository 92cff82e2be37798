/**
 * A process that works with a state, for the tests of its lock: `lock-holder.ts FILE hold` takes the lock and keeps it;
 * `lock-holder.ts FILE race N` takes it N times, and each time proves that nobody else has it.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { LocalBackend } from "../../src/state/backends/local-backend";

const [file = "", mode, count = "1"] = process.argv.slice(2);
const backend = new LocalBackend(file);

async function main(): Promise<void> {
  if (mode === "hold") {
    const lock = await backend.lock({ operation: "hold" });
    process.stdout.write(`held ${lock.info.id}\n`);
    setInterval(() => undefined, 1000);
    return;
  }
  for (let turn = 0; turn < Number(count); turn++) await prove();
  process.stdout.write("done\n");
}

/** Two holders at once would meet at the file that only one can create. */
async function prove(): Promise<void> {
  const unlock = await backend.lock({ operation: "race", timeoutMs: 60_000 });
  const witness = `${file}.witness`;
  // What a killed holder left says nothing: its lock is what was taken over.
  if (unlock.stale !== undefined) rmSync(witness, { force: true });
  if (existsSync(witness)) process.stdout.write("both\n");
  writeFileSync(witness, String(process.pid), { flag: "wx" });
  await pause(1);
  rmSync(witness);
  await unlock();
}

main().catch((problem: unknown) => {
  process.stdout.write(`failed ${String(problem)}\n`);
  process.exitCode = 1;
});
