/**
 * This program uses a state in a separate process, for tests of signals and refusals. `child.ts FILE hold` takes the lock and
 * keeps it. `child.ts FILE LENGTH` saves a state that contains a text of this length.
 */
import { LocalBackend } from "../../src/state/backends/local-backend";
import { emptyState } from "../../src/state/model/model";

const [file = "", what = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const backend = new LocalBackend(file);
  if (what === "hold") {
    const lock = await backend.lock({ operation: "hold" });
    process.stdout.write(`held ${lock.info.id}\n`);
    setInterval(() => undefined, 1000);
    return;
  }
  const state = (await backend.read()) ?? emptyState();
  state.outputs["text"] = { value: "x".repeat(Number(what)), type: "string", sensitive: false };
  await backend.write(state);
}

main().catch((problem: { diagnostics?: { code: string }[] }) => {
  process.stdout.write(problem.diagnostics?.[0]?.code ?? String(problem));
  process.exitCode = 1;
});
